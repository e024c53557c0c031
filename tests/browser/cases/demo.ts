// The site as it ships, in a frame.

import { test, type T } from '../page/api.ts';

async function site(t: T, query = ''): Promise<{ page: Document; window: Window; text(id: string): string; click(id: string): void }> {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'width: 1000px; height: 700px; border: 0';
  frame.src = `/index.html${query}`;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const page = t.some(frame.contentDocument);
  return {
    page,
    window: t.some(frame.contentWindow),
    text: (id) => page.getElementById(id)?.textContent ?? '',
    click: (id) => page.getElementById(id)?.click(),
  };
}

test('the sample character plays at once', async (t) => {
  const { page, text, click } = await site(t);
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  t.ok(page.querySelectorAll('.clip').length > 0, 'clips');
  await t.until(() => !text('time-now').startsWith('0.00'), 'time passes');
  click('play');
  t.equal(page.getElementById('play')?.getAttribute('aria-label'), 'Play');
  t.equal(page.getElementById('failure')?.hidden, true);
});

test('a wrong address is told in words', async (t) => {
  const { page, text, click } = await site(t, '?src=/nowhere/hero.glb');
  await t.until(() => !page.getElementById('failure')?.hidden, 'the message');
  t.ok(text('failure-words').includes('hero.glb'), text('failure-words'));
  t.equal(text('failure-code'), 'fetch/http');
  click('failure-sample');
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  t.equal(page.getElementById('failure')?.hidden, true);
});

test('the timeline scrubs while it plays', async (t) => {
  const { page, text } = await site(t);
  await t.until(() => text('time-now') > '0.0' && text('model-name') !== '', 'it plays');
  const slider = t.some(page.getElementById('seek')) as HTMLInputElement;
  const play = t.some(page.getElementById('play'));
  slider.dispatchEvent(new PointerEvent('pointerdown', { button: 0 }));
  slider.value = '1.5';
  slider.dispatchEvent(new Event('input'));
  await t.sleep(150);
  t.equal([text('time-now'), play.getAttribute('aria-label')], ['1.50 s', 'Pause'], 'it stands still under the finger');
  t.ok(slider.getAttribute('aria-valuetext')?.startsWith('1.50 of '), 'in words');
  slider.dispatchEvent(new PointerEvent('pointerup'));
  await t.until(() => text('time-now') > '1.50 s', 'it plays on');
  slider.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
  slider.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
  t.equal(play.getAttribute('aria-label'), 'Play', 'a step pauses');
});

test('names from a file are text', async (t) => {
  const { page, window, text } = await site(t);
  await t.until(() => text('model-name') !== '', 'the sample character');
  const files = new DataTransfer();
  files.items.add(new File(['{}'], '<img src=x onerror=alert(1)>.glb'));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  await t.until(() => !page.getElementById('failure')?.hidden, 'the message');
  t.equal(page.querySelectorAll('img').length, 0);
});

test('clips are mixed: a blend by a slider, a layer on a part of the body, a label on a joint', async (t) => {
  const { page, text, click } = await site(t);
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const control = <E extends HTMLElement>(selector: string): E => t.some(page.querySelector<E>(selector));
  const set = (selector: string, value: string, type = 'change'): void => {
    const input = control<HTMLInputElement | HTMLSelectElement>(selector);
    input.value = value;
    input.dispatchEvent(new Event(type));
  };
  click('info-toggle');
  click('mix-toggle');
  t.equal([control('#mix').hidden, control('#info').hidden], [false, true], 'one card at a time');

  set('#blend', '0', 'input');
  await t.until(() => text('time-rest').startsWith('of 0.80 s'), 'a walk');
  set('#blend', '0.5', 'input');
  await t.until(() => text('time-rest').startsWith('of 0.65 s'), 'half way to a run');
  t.equal(page.querySelector('.clip[aria-current]'), null, 'neither clip alone');

  const label = control('#joint-label');
  const joints = control<HTMLSelectElement>('#label-joint');
  set('#label-joint', t.some([...joints.options].find(({ text: name }) => name === 'HandR')).value);
  await t.until(() => !label.hidden, 'the label is shown');
  t.equal(label.textContent, 'HandR');
  const height = (): number => label.getBoundingClientRect().top;
  const low = height();
  click('layer-add');
  t.equal(control<HTMLSelectElement>('#layers [name=joint]').selectedOptions[0]?.text, 'on ShoulderR and below');
  await t.until(() => height() < low - 20, 'the hand goes up, and the label with it');
  click('play');
  control<HTMLButtonElement>('#layers button').click();
  t.equal(page.querySelectorAll('#layers li').length, 0);

  page.querySelector<HTMLElement>('.clip')?.click();
  await t.until(() => page.querySelector('.clip[aria-current]'), 'a clip alone again');
});

test('the look is set: light, tones, background, shadows, views, numbers', async (t) => {
  const { page, window, text, click } = await site(t);
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const control = <E extends HTMLElement>(selector: string): E => t.some(page.querySelector<E>(selector));
  const set = (selector: string, value: string, type = 'change'): void => {
    const input = control<HTMLInputElement | HTMLSelectElement>(selector);
    input.value = value;
    input.dispatchEvent(new Event(type, { bubbles: true }));
  };
  click('play');
  click('look-toggle');
  t.equal(control('#look').hidden, false);
  set('#exposure', '1', 'input');
  t.equal(text('exposure-shown'), '+1');
  set('#rotation', '-90', 'input');
  t.equal(text('rotation-shown'), '-90°');
  set('#tone', 'agx');
  set('#background', 'environment');
  t.equal(control<HTMLInputElement>('#blur').disabled, false);
  set('#environment', 'picture');
  t.equal(control('#environment-form').hidden, false);
  set('#environment', 'white');
  await t.until(() => control('#environment-form').hidden, 'white light');

  // A picture of light that is none, then one that is.
  for (const [content, fits] of [['?', false], ['#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n########', true]] as const) {
    const files = new DataTransfer();
    // Of the frame's kind: the package asks what it is given.
    files.items.add(new (window as Window & typeof globalThis).File([content], 'sunset.hdr'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    if (fits) {
      await t.until(() => text('toast').includes('sunset.hdr'), 'the light');
    } else {
      await t.until(() => !page.getElementById('failure')?.hidden, 'the message');
      click('failure-close');
    }
  }
  t.equal([control<HTMLSelectElement>('#environment').value, text('model-name')], ['picture', 'Sample character']);

  set('#surface', 'weights');
  t.equal(control('#weights-row').hidden, false);
  t.ok(/head|spine/i.test(t.some(control<HTMLSelectElement>('#weights-joint').selectedOptions[0]).text), 'a joint is chosen');
  for (const view of ['skeleton', 'names']) control<HTMLInputElement>(`#overlays [value=${view}]`).click();
  await t.until(() => page.querySelectorAll('.gambol-names span:not([hidden])').length > 3, 'names');
  control<HTMLInputElement>('#numbers-on').click();
  await t.until(() => /[1-9]/.test(control('#numbers div:nth-child(4) dd').textContent ?? ''), 'draw calls');
  set('#surface', '');
  for (const view of ['skeleton', 'names']) control<HTMLInputElement>(`#overlays [value=${view}]`).click();
  t.equal(page.querySelectorAll('.gambol-names').length, 0);
}, { timeout: 60_000 });
