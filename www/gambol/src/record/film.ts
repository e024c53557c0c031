// A film: a copy of a viewer's stage whose stills are the frames of a recording. It survives a lost context.

import type { Viewer } from '../api/viewer.ts';
import { GambolError, asGambolError } from '../base/errors.ts';
import { delay, inSlices } from '../base/scheduling.ts';
import type { Engine } from '../stage/engine.ts';
import { isLoss, type ContextUser, type Film } from '../stage/graphics-context.ts';
import type { StillPixels } from '../stage/graphics-context.ts';
import { stillPixels } from '../stage/still.ts';
import type { PlainStill } from '../values/options.ts';
import type { CoreStage } from '../wasm/core.ts';
import { guarded } from '../wasm/guarded.ts';
import { withTopics } from '../wasm/instance.ts';

/** A copy of a stage in this page. */
function localFilm({ core, host }: Engine, canvas: HTMLCanvasElement, of: CoreStage): Film {
  const stage = withTopics(
    core,
    guarded(() => of.film()),
  );
  return {
    stage,
    async prepare() {
      await inSlices(
        (bytes) => guarded(() => stage.advanceLight(bytes)),
        () => true,
      );
    },
    pixels: (still) =>
      stillPixels(still, {
        actor: undefined,
        visibleCanvas: canvas,
        gl: host.screen.context.gl,
        draw: (options) => guarded(() => stage.drawStill(options)),
        // A still, so that frames are not counted; the camera of a still differs only while the automatic camera glides.
        restore: (options) => guarded(() => (of.query.framesAsStill() ? of.drawStill(options) : of.draw())),
      }),
    free: () => stage.free(),
  };
}

/** A film that is in use. */
export class Reel {
  readonly #engine: Engine;
  readonly #film: Film;
  readonly #user: ContextUser;
  /** The models at the start, which a restored context must have again. */
  readonly #models: readonly object[];
  #lost = false;
  #failure: unknown;

  /** @throws {@link GambolError} `viewer/disposed` */
  constructor({ engine, canvas }: Viewer) {
    engine.check();
    const { host } = engine;
    const { stage, screen } = host;
    if (!stage) throw lossOf('The context is lost.');
    this.#engine = engine;
    this.#models = [...host.cast()].map(([, model]) => model);
    this.#film = screen.films?.open(stage) ?? localFilm(engine, canvas, stage);
    this.#user = {
      lost: () => (this.#lost = true),
      contextRestored: () => guarded(() => this.stage.restore()),
      rebuild: () => undefined,
      failed: (error) => (this.#failure = error),
    };
    screen.context.join(this.#user);
  }

  /** The copy of the stage. */
  get stage(): CoreStage {
    return this.#film.stage;
  }

  /**
   * Draws a still. In a lost context it waits for a new one.
   *
   * @throws {@link GambolError} `viewer/disposed`, `viewer/picture-too-large`, `viewer/no-picture`, `render/context-lost` if the models
   * of the film have left the stage while the context was lost
   */
  async pixels(still: PlainStill, throwIfAborted: () => void): Promise<StillPixels> {
    const { host } = this.#engine;
    for (;;) {
      throwIfAborted();
      this.#engine.check();
      if (this.#failure !== undefined) throw asGambolError(this.#failure, 'render/context-lost');
      if (host.lost) {
        await Promise.race([host.usable, delay(50)]);
        continue;
      }
      if (this.#lost) {
        const shown = new Set<object>([...host.cast()].map(([, model]) => model));
        if (this.#models.some((model) => !shown.has(model)))
          throw lossOf('The context was lost, and the recorded models have left the stage.');
        this.#lost = false;
        await this.#film.prepare();
      }
      try {
        return await this.#film.pixels(still);
      } catch (error) {
        if (!isLoss(error)) throw error;
        // The event of the loss may still follow.
        await delay();
      }
    }
  }

  free(): void {
    this.#engine.host.screen.leave(this.#user, () => this.#film.free());
  }
}

function lossOf(words: string): GambolError {
  return new GambolError('render/context-lost', `${words} Record again.`);
}
