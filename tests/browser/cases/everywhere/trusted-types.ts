// Pages with `require-trusted-types-for 'script'`: the package needs the policy `gambol` only.

import type { GambolViewer } from 'gambol/element';
import { test, type T } from '../../page/api.ts';

/** A frame with the package, under a policy for Trusted Types; and the violations in it. */
async function frame(t: T, names: string): Promise<{ readonly page: Document; readonly violations: string[] }> {
  if (!('trustedTypes' in globalThis)) t.skip('this browser has no Trusted Types');
  const made = document.createElement('iframe');
  const policy = `require-trusted-types-for 'script'; trusted-types ${names}`;
  made.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><script type="module" src="/gambol/dist/element.js"></script>`;
  const loaded = new Promise((resolve) => made.addEventListener('load', resolve, { once: true }));
  document.body.append(made);
  t.after(() => made.remove());
  await loaded;
  const page = t.some(made.contentDocument);
  const violations: string[] = [];
  page.addEventListener('securitypolicyviolation', ({ sample }) => violations.push(sample));
  await t.until(() => made.contentWindow?.customElements.get('gambol-viewer'), 'the element');
  return { page, violations };
}

function placed(page: Document): GambolViewer {
  const element = page.createElement('gambol-viewer');
  for (const [name, value] of Object.entries({
    src: '/sample.glb',
    renderer: 'worker',
    loading: 'eager',
    'generate-schema': '',
  }))
    element.setAttribute(name, value);
  page.body.append(element);
  return element;
}

test('trusted types: a worker and structured data need the policy gambol', async (t) => {
  const { page, violations } = await frame(t, 'gambol');
  const element = placed(page);
  const warned: string[] = [];
  element.addEventListener('warning', ({ detail }) => warned.push(detail.message));
  await element.ready;
  // Some browsers draw in no worker at all.
  t.equal([violations, warned.filter((words) => /Trusted|policy/i.test(words))], [[], []]);
  const schema = t.some(page.querySelector('script[type="application/ld+json"]'));
  t.equal((JSON.parse(schema.textContent ?? '') as { '@type': string })['@type'], '3DModel');
});

test('trusted types: without the policy, the page draws in place of the worker', async (t) => {
  t.expectTrouble(/TrustedScript|Trusted Type|Content Security Policy|no-worker/);
  const { page } = await frame(t, "'none'");
  const element = placed(page);
  await t.until(() => element.loaded, 'the model');
});
