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

/** Those of a stage that is gone. */
export const NO_STATS: Stats = {
  frames: 0, drawCalls: 0, triangles: 0, stateChanges: 0, programChanges: 0, textureChanges: 0, bufferChanges: 0,
  uploadedBytes: 0, paletteBytes: 0, actors: 0, joints: 0, updateTime: 0, drawTime: 0, memoryBytes: 0, skippedTime: 0,
  live: { buffers: 0, textures: 0, samplers: 0, vertexArrays: 0, programs: 0, shaders: 0, framebuffers: 0, fences: 0 },
};
