// The front page: the copy buttons first, then Pip and the scenes, whose scripts load meanwhile.

import { themeButton } from './app/theme.ts';
import { showMore } from './app/more.ts';
import { installCopyButtons } from './front/copy.ts';

themeButton();
installCopyButtons();
for (const code of document.querySelectorAll<HTMLElement>('.scene .code pre'))
  showMore(code, code.parentElement ?? code);
const [pip, scenes, edit] = [import('./front/pip.ts'), import('./front/scenes.ts'), import('./front/edit.ts')];

/** Resolves after the page was painted for the first time: WebGL would delay that, as both use the same GPU process. */
function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
}

async function begin(): Promise<void> {
  await painted();
  // Without WebGL 2 the poster stays, and the scenes have the message.
  const shown = pip.then(({ showPip }) => showPip()).catch((error: unknown) => console.warn(error));
  const { installScenes } = await scenes;
  const installed = installScenes();
  const { installEditing } = await edit;
  installEditing(installed);
  await shown;
  const { installSearch } = await import('./learn/search.ts');
  installSearch();
}

// Without its scripts, for example offline, the page is still readable.
begin().catch((error: unknown) => console.warn(error));
