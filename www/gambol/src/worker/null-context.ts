// A WebGL2 context that draws nothing: for a stage whose pictures another one draws. It has the limits of the one that does.

/** `parameters` by their GL numbers. */
export function nullContext(parameters: Readonly<Record<number, unknown>>, extensions: readonly string[]): WebGL2RenderingContext {
  const answers: Record<string, (...given: number[]) => unknown> = {
    getParameter: (name = 0) => parameters[name] ?? null,
    getSupportedExtensions: () => [...extensions],
    isContextLost: () => false,
    getError: () => 0,
  };
  // What it is asked to make it says it has made.
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
