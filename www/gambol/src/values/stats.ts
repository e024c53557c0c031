// Statistics of frames.

/** Statistics of a viewer's frames and GL objects; see {@link Viewer.stats}. @category Debug views and statistics */
export interface Stats {
  /** The number of frames drawn so far. No frame is drawn while nothing changes. */
  readonly frames: number;
  /** Draw calls of the last frame, including shadows. */
  readonly drawCalls: number;
  /** Triangles of the last frame. */
  readonly triangles: number;
  /**
   * Changes of GL state in the last frame, including programs, textures and buffers. State that is set already is not set again.
   */
  readonly stateChanges: number;
  /** Changes of the shader program in the last frame; a part of {@link stateChanges}. */
  readonly programChanges: number;
  /** Changes of bound textures in the last frame; a part of {@link stateChanges}. */
  readonly textureChanges: number;
  /** Changes of vertex arrays and of uniform blocks in the last frame; a part of {@link stateChanges}. */
  readonly bufferChanges: number;
  /** Bytes uploaded to the GPU for the last frame, or since the one before. */
  readonly uploadedBytes: number;
  /** The part of {@link uploadedBytes} that is joint matrices. */
  readonly paletteBytes: number;
  /** Actors on stage. */
  readonly actors: number;
  /** Joints and other nodes of these actors, all of which are posed in each frame. */
  readonly joints: number;
  /** CPU time of animation and posing in the last frame, in milliseconds, with the resolution of the browser's clock. */
  readonly updateTime: number;
  /** CPU time of drawing in the last frame, in milliseconds. */
  readonly drawTime: number;
  /** Bytes of WebAssembly memory, which all viewers share. */
  readonly memoryBytes: number;
  /**
   * The time in seconds of the page's clock that was not played. A single frame of more than 100 ms advances time by 100 ms, so
   * that a page that hangs does not jump. A page whose frames stay slow plays at full speed.
   */
  readonly skippedTime: number;
  /** The current number of GL objects of each kind. */
  readonly live: Readonly<
    Record<
      'buffers' | 'textures' | 'samplers' | 'vertexArrays' | 'programs' | 'shaders' | 'framebuffers' | 'fences',
      number
    >
  >;
}

/** The statistics of a disposed stage: zeros. */
export const NO_STATS: Stats = {
  frames: 0,
  drawCalls: 0,
  triangles: 0,
  stateChanges: 0,
  programChanges: 0,
  textureChanges: 0,
  bufferChanges: 0,
  uploadedBytes: 0,
  paletteBytes: 0,
  actors: 0,
  joints: 0,
  updateTime: 0,
  drawTime: 0,
  memoryBytes: 0,
  skippedTime: 0,
  live: { buffers: 0, textures: 0, samplers: 0, vertexArrays: 0, programs: 0, shaders: 0, framebuffers: 0, fences: 0 },
};
