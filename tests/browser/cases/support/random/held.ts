// Live resources of a page: GL objects by context, and memory of WebAssembly.

const KINDS = ['Buffer', 'Framebuffer', 'Program', 'Renderbuffer', 'Sampler', 'Shader', 'Texture', 'VertexArray'];
type Functions = Record<string, (...args: unknown[]) => unknown>;

/** Counts resources from now on. GL objects of lost contexts do not count. */
export class Held {
  readonly #live = new Map<WebGL2RenderingContext, Map<unknown, string>>();
  readonly #memories: WebAssembly.Memory[] = [];
  readonly contexts: WebGL2RenderingContext[] = [];
  /** The events of each canvas, for the report of objects that are left. */
  readonly #stories = new Map<unknown, string[]>();

  constructor() {
    const gl = WebGL2RenderingContext.prototype as unknown as Functions;
    for (const kind of KINDS) this.#count(gl, kind, `create${kind}`, `delete${kind}`);
    this.#count(gl, 'Sync', 'fenceSync', 'deleteSync');
    this.#seeContexts();
    const { instantiate } = WebAssembly;
    const seen = (exports: WebAssembly.Exports): void => {
      for (const value of Object.values(exports)) if (value instanceof WebAssembly.Memory) this.#memories.push(value);
    };
    WebAssembly.instantiate = (async (...args: Parameters<typeof instantiate>) => {
      const made = (await instantiate(...args)) as unknown as
        | WebAssembly.Instance
        | WebAssembly.WebAssemblyInstantiatedSource;
      seen(made instanceof WebAssembly.Instance ? made.exports : made.instance.exports);
      return made;
    }) as unknown as typeof instantiate;
  }

  /** The number of objects of each kind. */
  objects(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [context, objects] of this.#live) {
      // This also covers losses whose event is still pending, or has no listener.
      if (context.isContextLost()) continue;
      for (const kind of objects.values()) counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return counts;
  }

  /** Records an event of a canvas. */
  note(canvas: unknown, what: string): void {
    const story = this.#stories.get(canvas) ?? [];
    this.#stories.set(canvas, [...story, `${what} ${Math.round(performance.now())}`]);
  }

  /** The events of the canvases whose contexts still have objects. */
  stories(): string[] {
    const left = [...this.#live].filter(([context, objects]) => objects.size > 0 && !context.isContextLost());
    return left.map(
      ([{ canvas }]) =>
        `${(canvas as HTMLCanvasElement).isConnected ? 'on' : 'off'} the page: ${this.#stories.get(canvas)?.join(', ') ?? ''}`,
    );
  }

  /** The bytes of all memories. */
  memory(): number {
    return this.#memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  }

  #count(gl: Functions, kind: string, create: string, remove: string): void {
    const [make, end] = [gl[create], gl[remove]];
    if (!make || !end) return;
    const live = (context: WebGL2RenderingContext): Map<unknown, string> => {
      let objects = this.#live.get(context);
      if (!objects) this.#live.set(context, (objects = new Map()));
      return objects;
    };
    gl[create] = function (this: WebGL2RenderingContext, ...args) {
      const made = make.apply(this, args);
      if (made) live(this).set(made, kind);
      return made;
    };
    gl[remove] = function (this: WebGL2RenderingContext, ...args) {
      live(this).delete(args[0]);
      return end.apply(this, args);
    };
  }

  #seeContexts(): void {
    const prototype = HTMLCanvasElement.prototype as unknown as Functions;
    const get = prototype.getContext;
    if (!get) return;
    const [contexts, live] = [this.contexts, this.#live];
    const note = (canvas: unknown, what: string): void => this.note(canvas, what);
    prototype.getContext = function (this: HTMLCanvasElement, ...args) {
      const context = get.apply(this, args);
      if (context instanceof WebGL2RenderingContext && !contexts.includes(context)) {
        contexts.push(context);
        // The listeners are added before those of gambol.
        note(this, 'made');
        for (const event of ['webglcontextlost', 'webglcontextrestored']) {
          this.addEventListener(
            event,
            () => {
              live.delete(context);
              note(this, event.slice(12));
            },
            true,
          );
        }
      }
      return context;
    };
  }
}
