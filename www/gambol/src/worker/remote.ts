// Viewers with a drawing worker. `api/create-viewer.ts` loads this script for `renderer: 'worker'`.
//
// The page has a complete stage with all actors, times and the camera, so that it answers queries synchronously. This stage draws
// nothing, and poses an actor only for a query. The worker has a second stage in its own instance, with the canvas. Each call is
// made on both stages in the same order. Equal calls lead to equal states, so both stages have the same poses.

import { GraphicsContext, type Film, type Screen } from '../stage/graphics-context.ts';
import type {
  Core,
  CoreAsset,
  CoreContext,
  CoreCubeFaces,
  CoreHdr,
  CoreImport,
  CoreQuery,
  CoreStage,
  FeatureModules,
} from '../wasm/core.ts';
import { GambolError, type Warning } from '../base/errors.ts';
import type { ErrorDetail } from '../values/events.ts';
import { LastPicture } from '../stage/last-picture.ts';
import type { ViewerOptions } from '../values/options.ts';
import { Link } from './link.ts';
import type { ChangingTopic, Reference, Target } from './protocol.ts';
import { nullContext } from './null-context.ts';
import { NO_STATS } from '../values/stats.ts';
import { workerNeeds } from '../wasm/init.ts';
import { withTopics } from '../wasm/instance.ts';

/** The delay of a frame in milliseconds after which a call moves the stages to the current time. */
const LATE = 100;

/** The classes of the topics of a film. */
const CLASSES: { readonly [Name in ChangingTopic]: Capitalize<Name> } = {
  playback: 'Playback',
  layers: 'Layers',
  joints: 'Joints',
  camera: 'Camera',
  lighting: 'Lighting',
  crowds: 'Crowds',
};

/** The part of `Viewer` that this file uses; the class is in a higher folder. */
interface AnyViewer extends EventTarget {
  warn(warning: Warning): void;
}

/** The constructor of `Viewer`, which is passed in: the class is in a higher folder than this file. */
type ViewerClass<Viewer extends AnyViewer> = new (
  core: Core,
  canvas: HTMLCanvasElement,
  options: ViewerOptions,
  screen?: Screen,
) => Viewer;

/** The placeholder of the worker's canvas on the page. */
class NullCanvas extends EventTarget {
  readonly #context: WebGL2RenderingContext;
  width = 1;
  height = 1;

  constructor(context: WebGL2RenderingContext) {
    super();
    this.#context = context;
  }

  getContext(): WebGL2RenderingContext {
    return this.#context;
  }
}

/** Creates a viewer with a drawing worker; if no worker can draw, a viewer with the `shared` context, with a warning. */
export async function remoteViewer<Viewer extends AnyViewer>(
  ViewerClass: ViewerClass<Viewer>,
  core: Core,
  canvas: HTMLCanvasElement,
  options: ViewerOptions,
): Promise<Viewer> {
  // The worker needs it to draw on while the page is busy.
  await core.loadFeatures(['extras']);
  let link: Link;
  try {
    link = await Link.open(workerNeeds(), modulesOf(core));
  } catch (error) {
    const viewer = new ViewerClass(core, canvas, { ...options, renderer: 'shared' });
    const reason = error instanceof Error ? error.message : String(error);
    const detail = {
      code: 'render/no-worker',
      message: `No worker can draw, so the main thread does. ${reason}`,
      pointer: '',
    };
    // Delayed, so that the page can add a listener first.
    setTimeout(() => viewer.warn(detail));
    return viewer;
  }
  try {
    return await Remote.viewer(ViewerClass, core, link, canvas, options);
  } catch (error) {
    link.end();
    throw error;
  }
}

class Remote {
  readonly #core: Core;
  readonly #link: Link;
  readonly #canvas: NullCanvas;
  readonly #panics = new Set<(error: GambolError) => void>();
  /** The stage of the page, and the time of its last frame; undefined if no frame was due after it. */
  #running: { readonly stage: CoreStage; now: number } | undefined;
  /** Maps each mirrored object to the page's object and to the worker's target. */
  readonly #objects = new WeakMap<object, { readonly here: object; readonly there: Target }>();

  private constructor(core: Core, link: Link) {
    this.#core = core;
    this.#link = link;
    this.#canvas = new NullCanvas(nullContext(link.parameters, link.extensions));
  }

  static async viewer<Viewer extends AnyViewer>(
    ViewerClass: ViewerClass<Viewer>,
    core: Core,
    link: Link,
    canvas: HTMLCanvasElement,
    options: ViewerOptions,
  ): Promise<Viewer> {
    const { antialias = true, skinOn } = options;
    const remote = new Remote(core, link);
    // A copy of the last picture, because some browsers clear the canvas when its context is lost.
    const picture = new LastPicture(canvas);
    let offscreen: OffscreenCanvas;
    try {
      offscreen = canvas.transferControlToOffscreen();
    } catch (cause) {
      throw new GambolError(
        'argument/invalid',
        'A worker cannot draw to a canvas that has a context already. Pass a new canvas.',
        { cause },
      );
    }
    const failed = await link.show(
      { canvas: offscreen, antialias, cpuSkinning: skinOn === 'cpu' },
      {
        context: (event, last) => {
          if (last) picture.keep(0, false, last);
          if (last) picture.show();
          last?.close();
          remote.#canvas.dispatchEvent(new Event(`webglcontext${event}`, { cancelable: true }));
        },
        failed: (error) => {
          for (const listener of [...remote.#panics]) listener(remote.#error(error));
        },
      },
    );
    if (failed) throw remote.#error(failed);
    const wrapped = remote.#wrapped();
    const viewer = new ViewerClass(wrapped, canvas, options, remote.#screen(wrapped, antialias, picture));
    viewer.addEventListener('contextrestored', () => picture.hide());
    return viewer;
  }

  #screen(core: Core, antialias: boolean, picture: LastPicture): Screen {
    const link = this.#link;
    // Those that have started meanwhile; the worker knows which ones run. Later ones start in the order of the calls.
    link.command('features', modulesOf(core));
    const forget = core.onFeature((modules) => link.command('features', modules));
    const context = new GraphicsContext(core, this.#canvas as unknown as HTMLCanvasElement, antialias, () => {
      forget();
      link.end();
      picture.hide();
    });
    return {
      context,
      resize: (width, height) => {
        Object.assign(this.#canvas, { width, height });
        link.command('resize', width, height);
        if (picture.shown) picture.show();
      },
      present: () => undefined,
      leave: (tenant, free) => context.leave(tenant, free),
      shown: () => link.shown(),
      stills: {
        drawStill: async (still, { actor }) => {
          const picture = await link.still(actor, still).catch((error: unknown) => {
            throw this.#error(error as ErrorDetail);
          });
          const copy = document.createElement('canvas');
          [copy.width, copy.height] = [picture.width, picture.height];
          copy.getContext('bitmaprenderer')?.transferFromImageBitmap(picture);
          return copy;
        },
      },
      films: { open: (stage) => this.#film(this.#here(stage) as CoreStage) },
    };
  }

  /** A copy of both stages: that of the page answers queries, and that of the worker draws. */
  #film(stage: CoreStage): Film {
    const link = this.#link;
    const here = withTopics(this.#core, stage.film());
    const film = link.number();
    link.call('stage', 'film', [], film);
    const made = [film];
    const topic = <Name extends ChangingTopic>(name: Name): CoreStage[Name] => {
      const there = link.number();
      made.unshift(there);
      link.command('make', there, CLASSES[name], { object: film });
      return this.#mirror<CoreStage[Name]>(here[name], there, {});
    };
    return {
      stage: this.#mirror<CoreStage>(here, film, {
        playback: topic('playback'),
        layers: topic('layers'),
        joints: topic('joints'),
        camera: topic('camera'),
        lighting: topic('lighting'),
        crowds: topic('crowds'),
        mirror: here.mirror,
        query: here.query,
        events: here.events,
      }),
      // The worker uploads light before it draws.
      prepare: () => Promise.resolve(),
      pixels: (options) =>
        link.pixels({ object: film }, options).catch((error: unknown) => {
          throw this.#error(error as ErrorDetail);
        }),
      free: () => {
        here.free();
        for (const there of made) link.call(there, 'free', []);
      },
    };
  }

  /** The instance of the page, with objects that mirror their calls to the worker. */
  #wrapped(): Core {
    const core = this.#core;
    const link = this.#link;
    return {
      ...core,
      onPanic: (listener) => {
        const forget = core.onPanic(listener);
        this.#panics.add(listener);
        return () => {
          forget();
          this.#panics.delete(listener);
        };
      },
      Context: made((gl: WebGL2RenderingContext) => {
        const here = new core.Context(gl);
        // The worker detects a loss before the page, so `lose` is not forwarded.
        return this.#mirror(here, 'context', {
          lose: () => undefined,
          restore: () => link.call('context', 'restore', []),
          free: () => here.free(),
        });
      }) as unknown as Core['Context'],
      openStage: (context, cpuSkinning) => this.#stage(core.openStage(this.#here(context) as CoreContext, cpuSkinning)),
      Import: made((...args: ConstructorParameters<Core['Import']>) =>
        this.#import(new core.Import(...args), ...args),
      ) as unknown as Core['Import'],
      Hdr: made((...args: ConstructorParameters<Core['Hdr']>): CoreHdr => {
        const here = new core.Hdr(...args);
        const there = link.number();
        link.command('make', there, 'Hdr', ...args.map((arg) => this.#there(arg)));
        // Only the worker's copy of the pixels is used.
        return this.#mirror(here, there, { push: (rows) => link.call(there, 'push', [rows]) });
      }) as unknown as Core['Hdr'],
      CubeFaces: made((): CoreCubeFaces => {
        const here = new core.CubeFaces();
        const there = link.number();
        link.command('make', there, 'CubeFaces');
        return this.#mirror(here, there, { push: (texels) => link.call(there, 'push', [texels]) });
      }) as unknown as Core['CubeFaces'],
    };
  }

  #import(here: CoreImport, ...args: unknown[]): CoreImport {
    const link = this.#link;
    const there = link.number();
    link.command('make', there, 'Import', ...args.map((arg) => this.#there(arg)));
    return this.#mirror(here, there, {
      needs: () => here.needs(),
      finish: (): CoreAsset => {
        try {
          const number = link.number();
          const asset = this.#asset(here.finish(), number);
          link.call(there, 'finish', [], number);
          link.command('forget', there);
          return asset;
        } catch (error) {
          link.call(there, 'free', []);
          throw error;
        }
      },
    });
  }

  /** Mirrors a model: queries are answered on the page; other calls are made on both sides. */
  #asset(here: CoreAsset, there: number): CoreAsset {
    return this.#mirror(here, there, {
      describe: () => here.describe(),
      isMotion: () => here.isMotion(),
      clips: () => here.clips(),
      humanoid: () => here.humanoid(),
      images: () => here.images(),
      imageLight: () => here.imageLight(),
      materials: () => here.materials(),
      warnings: () => here.warnings(),
      findJoint: (name) => here.findJoint(name),
      morphs: () => here.morphs(),
      expressions: () => here.expressions(),
    });
  }

  #stage(here: CoreStage): CoreStage {
    const link = this.#link;
    here.mirror.setApart();
    // The worker's picture goes on while the page is busy, so no time is left out afterwards.
    here.setCatchingUp(true);
    link.call('stage', 'setCatchingUp', [true]);
    const tell =
      (name: string) =>
      (...args: unknown[]): void =>
        link.call(
          'stage',
          name,
          args.map((arg) => this.#there(arg)),
        );
    return this.#mirror<CoreStage>(here, 'stage', {
      playback: this.#mirror(here.playback, 'playback', {}),
      layers: this.#mirror(here.layers, 'layers', {}),
      joints: this.#mirror(here.joints, 'joints', {}),
      camera: this.#mirror(here.camera, 'camera', {}),
      lighting: this.#lighting(here.lighting),
      crowds: this.#mirror(here.crowds, 'crowds', {
        prepare: (crowd) =>
          here.crowds.prepare(crowd) && link.job(crowd, (job) => link.command('crowd', job, crowd)) === 'done',
      }),
      mirror: here.mirror,
      query: this.#query(here.query),
      events: here.events,
      prepare: (asset) => {
        link.drop(asset);
        tell('prepare')(asset);
      },
      deformsOnCpu: (asset) => here.deformsOnCpu(this.#here(asset) as CoreAsset),
      // Only the stage of the worker knows it.
      isComplete: () => false,
      release: (asset) => {
        link.drop(asset);
        tell('release')(asset);
      },
      setImage: (asset, index, bitmap) =>
        link.call('stage', 'setImage', [this.#there(asset), index, bitmap], undefined, [bitmap]),
      setImageRgba: tell('setImageRgba'),
      setImageCompressed: tell('setImageCompressed'),
      advance: (asset) => link.job(asset, (job) => link.command('advance', job, this.#there(asset) as object)),
      advanceLight: () => link.job('light', (job) => link.command('light', job)),
      setCatchingUp: () => undefined,
      resetClock: () => {
        this.#running = undefined;
        here.resetClock();
        tell('resetClock')();
      },
      tick: (now) => this.#tick(here, now),
      fail: () => here.fail(),
      draw: () => link.command('draw'),
      restore: () => {
        link.drop();
        tell('restore')();
      },
      free: () => {
        // Calls for models that are still to be freed must not move it.
        this.#running = undefined;
        here.free();
      },
    });
  }

  #tick(here: CoreStage, at: number): boolean {
    // The time of a frame can be before that of a call that moved the stages.
    const now = Math.max(at, this.#running?.now ?? at);
    this.#link.tick(now);
    here.mirror.pass(now);
    const more = here.mirror.goesOn();
    this.#running = more ? { stage: here, now } : undefined;
    return more;
  }

  /**
   * Moves both stages to the current time if the page's frame is late. The worker's picture is there already, and a call applies to
   * what is seen.
   */
  #catchUp(): void {
    const running = this.#running;
    const now = performance.now();
    if (running && now - running.now > LATE) this.#tick(running.stage, now);
  }

  /** Mirrors the lighting: pictures go to the worker only, and a pending lighting job is forgotten. */
  #lighting(here: CoreStage['lighting']): CoreStage['lighting'] {
    const link = this.#link;
    const take =
      (name: 'setEnvironment' | 'setSkyPicture' | 'setImageLight') =>
      (...args: readonly object[]): void => {
        link.drop('light');
        // The last one is consumed.
        const known = this.#objects.get(args.at(-1) ?? {});
        link.call(
          'lighting',
          name,
          args.map((arg) => this.#there(arg)),
        );
        if (typeof known?.there === 'number') link.command('forget', known.there);
        (known?.here as CoreHdr | undefined)?.free();
      };
    const studio =
      (name: 'setStudio' | 'setSkyStudio') =>
      (on: boolean): void => {
        link.drop('light');
        here[name](on);
        link.call('lighting', name, [on]);
      };
    return this.#mirror(here, 'lighting', {
      setEnvironment: take('setEnvironment'),
      setSkyPicture: take('setSkyPicture'),
      setImageLight: take('setImageLight'),
      setStudio: studio('setStudio'),
      setSkyStudio: studio('setSkyStudio'),
    });
  }

  /** The queries of the page's stage, with the statistics of the worker. */
  #query(here: CoreQuery): CoreQuery {
    const link = this.#link;
    const own: Partial<CoreQuery> = {
      frames: () => 0,
      stats: () => link.numbers()?.stats ?? NO_STATS,
      crowdVisible: (crowd) => link.numbers()?.crowds.get(crowd) ?? 0,
    };
    return Object.assign(Object.create(here) as CoreQuery, own);
  }

  /** A proxy that calls the page's object and the worker's; the methods in `own` replace this. */
  #mirror<T extends object>(here: T, there: Target, own: Partial<T>): T {
    const mirrored = new Proxy(here, {
      get: (_, name) => {
        if (name in own) return own[name as keyof T];
        const value: unknown = Reflect.get(here, name, here);
        if (typeof value !== 'function' || typeof name === 'symbol') return value;
        return (...args: unknown[]): unknown => {
          this.#catchUp();
          const result: unknown = value.apply(
            here,
            args.map((arg) => this.#here(arg)),
          );
          // After the call on the page, so that a call that throws does not reach the worker.
          this.#link.call(
            there,
            name,
            args.map((arg) => this.#there(arg)),
          );
          return result;
        };
      },
      // A session of `gambol/record` replaces methods and topics, to see their calls.
      set: (_, name, value) => {
        own[name as keyof T] = value as T[keyof T];
        return true;
      },
    });
    this.#objects.set(mirrored, { here, there });
    return mirrored;
  }

  #here(arg: unknown): unknown {
    return this.#objects.get(arg as object)?.here ?? arg;
  }

  #there(arg: unknown): unknown {
    const known = this.#objects.get(arg as object);
    if (typeof known?.there === 'number') return { object: known.there } satisfies Reference;
    // A view of a larger buffer is copied, because a message would include the whole buffer.
    return arg instanceof Uint8Array && arg.byteLength < arg.buffer.byteLength ? arg.slice() : arg;
  }

  #error({ code, message, pointer, url }: ErrorDetail): GambolError {
    return new GambolError(code, message, { pointer, url });
  }
}

/** The modules of the features that run. */
function modulesOf({ features }: Core): FeatureModules {
  return [...features.values()].flat();
}

/** A constructor that returns the result of `make`. */
function made<Args extends unknown[]>(make: (...args: Args) => object): unknown {
  // biome-ignore lint/complexity/useArrowFunction: `new` cannot call an arrow function
  return function (...args: Args) {
    return make(...args);
  };
}
