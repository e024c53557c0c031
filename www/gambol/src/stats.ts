// What frames cost.

/** What a viewer's frames cost, and what it holds; made by {@link Viewer.stats}. */
export interface Stats {
  /** How many frames were drawn so far. While nothing changes none is. */
  readonly frames: number;
  /** Draw calls of the last frame, shadows and all. */
  readonly drawCalls: number;
  /** Triangles of the last frame. */
  readonly triangles: number;
  /** Changes of GL state in the last frame, among them those of programs, textures, and buffers. What is set is not set again. */
  readonly stateChanges: number;
  readonly programChanges: number;
  readonly textureChanges: number;
  /** Of where vertices come from, and of uniform blocks. */
  readonly bufferChanges: number;
  /** Bytes given to the GPU for the last frame, or since the one before. */
  readonly uploadedBytes: number;
  /** Bytes of them that are joint matrices. */
  readonly paletteBytes: number;
  /** Actors on stage. */
  readonly actors: number;
  /** Their joints and other nodes, all of which are posed in each frame. */
  readonly joints: number;
  /** Milliseconds of CPU that moving and posing took in the last frame; as fine as the browser's clock. */
  readonly updateTime: number;
  /** Milliseconds of CPU that drawing took. */
  readonly drawTime: number;
  /** Bytes of WebAssembly memory, which all viewers share. */
  readonly memoryBytes: number;
  /**
   * Seconds of the page's clock that were not played, since a page that hung for one frame does not jump: of a frame that comes more
   * than 100 ms after the one before, 100 ms count. Frames that stay slow are played by the time that passes.
   */
  readonly skippedTime: number;
  /** GL objects that there are now. */
  readonly live: Readonly<Record<'buffers' | 'textures' | 'samplers' | 'vertexArrays' | 'programs' | 'shaders' | 'framebuffers' | 'fences', number>>;
}

/** From the core's numbers; all 0 without. */
export function statsOf(numbers: Float64Array): Stats {
  const at = (i: number): number => numbers[i] ?? 0;
  return {
    frames: at(0), drawCalls: at(1), triangles: at(2), stateChanges: at(3), programChanges: at(4), textureChanges: at(5), bufferChanges: at(6),
    uploadedBytes: at(7), paletteBytes: at(8), actors: at(9), joints: at(10), updateTime: at(11), drawTime: at(12), memoryBytes: at(13), skippedTime: at(22),
    live: { buffers: at(14), textures: at(15), samplers: at(16), vertexArrays: at(17), programs: at(18), shaders: at(19), framebuffers: at(20), fences: at(21) },
  };
}
