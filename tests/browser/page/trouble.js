// Runs before any other script in every page that the test server sends, so that all errors are noticed. A page in a
// frame reports to the test's own page.
{
  let own = {};
  try {
    if (parent !== window && 'gambolTrouble' in parent) own = parent;
  } catch {
    // A frame of another origin keeps its messages.
  }
  const list = (window.gambolTrouble = own.gambolTrouble ?? []);
  // Errors fail every test. Other messages are for tests that expect an empty console.
  const messages = (window.gambolMessages = own.gambolMessages ?? []);
  // The stacks of Firefox and WebKit do not contain the message.
  const text = (value) =>
    !(value instanceof Error)
      ? String(value)
      : value.stack?.includes(value.message)
        ? value.stack
        : `${value.name}: ${value.message}\n${value.stack ?? ''}`;
  const note = (kind, ...values) => list.push(`${kind}: ${values.map(text).join(' ')}`);

  const failed = (event) => {
    if (event.target === window) note('uncaught', event.error ?? event.message);
    else if (event.target instanceof HTMLScriptElement) note('cannot load', event.target.src);
    else if (event.target instanceof HTMLLinkElement) note('cannot load', event.target.href);
  };
  addEventListener('error', failed, true); // elements' errors do not bubble
  addEventListener('unhandledrejection', (event) => note('unhandled rejection', event.reason));
  addEventListener('securitypolicyviolation', (event) =>
    note('content security policy', event.effectiveDirective, event.blockedURI),
  );
  // For frames whose pictures are not looked at: a software renderer draws fewer pixels in a fraction of the time.
  const maxDpr = own === parent ? frameElement?.dataset.maxDpr : undefined;
  if (maxDpr !== undefined)
    new MutationObserver(() => {
      for (const viewer of document.querySelectorAll('gambol-viewer:not([max-dpr])'))
        viewer.setAttribute('max-dpr', maxDpr);
    }).observe(document, { childList: true, subtree: true });
  const log = console.error;
  console.error = (...values) => {
    note('console.error', ...values);
    log.apply(console, values);
  };
  for (const name of ['debug', 'info', 'log', 'warn']) {
    const write = console[name];
    console[name] = (...values) => {
      messages.push(`console.${name}: ${values.map(text).join(' ')}`);
      write.apply(console, values);
    };
  }
}
