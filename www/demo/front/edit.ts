// Editing in place: the code of a scene becomes an editor, which runs the code again. Its scripts are loaded with the first
// press of an Edit button.

import { element } from '../app/dom.ts';
import type { Scene } from './scenes.ts';

export function installEditing(scenes: readonly Scene[]): void {
  for (const scene of scenes) {
    const block = scene.section.querySelector<HTMLElement>('.code');
    if (!block) continue;
    const button = element('button', 'button edit', 'Edit');
    button.type = 'button';
    button.setAttribute('aria-label', `Edit the code: ${scene.name}`);
    button.addEventListener('click', () => {
      button.disabled = true;
      open(scene, block).then(
        () => button.remove(),
        () => {
          button.disabled = false;
          button.title = 'The editor cannot be loaded. Are you offline?';
        },
      );
    });
    block.append(button);
  }
}

async function open(scene: Scene, block: HTMLElement): Promise<void> {
  const { makeEditor } = await import('../learn/editor.ts');
  const [pre, code] = [block.querySelector('pre'), block.querySelector('code')];
  if (!pre || !code) return;
  const original = code.textContent ?? '';
  const host = element('div', 'editor');
  const [run, reset] = [element('button', 'button primary', 'Run'), element('button', 'button', 'Reset')];
  const failed = element('p', 'code-error');
  failed.setAttribute('role', 'alert');
  run.type = reset.type = 'button';
  run.title = 'Ctrl+Enter';
  reset.disabled = true;
  const start = async (): Promise<void> => {
    editor.clear();
    // The buttons that copy code read it here.
    code.textContent = editor.text;
    const failure = await scene.start(editor.text);
    const line = failure && (failure.line ?? editor.broken());
    failed.textContent = failure ? words(failure.message, line) : '';
    if (failure && line !== undefined) editor.mark(line, failure.message);
  };
  const editor = makeEditor(
    host,
    () => {
      reset.disabled = editor.text === original;
    },
    () => void start(),
    { language: scene.language, label: `Code: ${scene.name}` },
  );
  editor.open(original);
  run.addEventListener('click', () => void start());
  reset.addEventListener('click', () => {
    editor.open(original);
    reset.disabled = true;
    run.focus();
    void start();
  });
  pre.hidden = true;
  pre.after(host, element('div', 'code-tools', run, reset, element('span', 'hint', 'Ctrl+Enter'), failed));
  editor.focus();
}

function words(message: string, line?: number): string {
  return line === undefined ? message : `Line ${line}: ${message}`;
}
