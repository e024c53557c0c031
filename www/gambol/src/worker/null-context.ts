// A WebGL2 context that draws nothing, with the limits of a worker's GPU: for the page's stage, whose twin in the worker draws.

/** Creates a null context. The keys of `parameters` are GL numbers. */
export function nullContext(
  parameters: Readonly<Record<number, unknown>>,
  extensions: readonly string[],
): WebGL2RenderingContext {
  const answers: Record<string, (...given: number[]) => unknown> = {
    getParameter: (name = 0) => parameters[name] ?? null,
    getSupportedExtensions: () => [...extensions],
    isContextLost: () => false,
    getError: () => 0,
  };
  // Each `create…` method returns a dummy object.
  const made = (): object => ({});
  const nothing = (): null => null;
  return new Proxy(Object.create(WebGL2RenderingContext.prototype) as WebGL2RenderingContext, {
    get(_, name) {
      if (typeof name === 'symbol') return undefined;
      if (/^[A-Z]/.test(name)) return (WebGL2RenderingContext as unknown as Record<string, unknown>)[name];
      return answers[name] ?? (name.startsWith('create') ? made : nothing);
    },
  });
}
