// Small files of other formats than glTF.

/** A BVH file: hips that turn once about Y within `frames` of a tenth of a second, and a spine. */
export function bvh(frames = 5): string {
  const motion = Array.from({ length: frames }, (_, i) => `0 100 0 0 0 ${(360 * i) / (frames - 1)} 0 0 0`);
  return `HIERARCHY
ROOT Hips
{
  OFFSET 0 100 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 140 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 60 0
    }
  }
}
MOTION
Frames: ${frames}
Frame Time: 0.1
${motion.join('\n')}
`;
}

/** A DirectX .x file: a square that slides from x = 0 to x = 1 in a second, with a texture if `image` is given. */
export function directX(image?: string): string {
  const texture = image === undefined ? '' : `TextureFilename { "${image}"; }`;
  return `xof 0303txt 0032
AnimTicksPerSecond { 4800; }
Material Red { 1;0;0;1;; 0; 0;0;0;; 0.8;0;0;; ${texture} }
Frame Square {
  Mesh {
    4; 0;0;0;, 1;0;0;, 1;1;0;, 0;1;0;;
    1; 4;0,1,2,3;;
    MeshTextureCoords { 4; 0;1;, 1;1;, 1;0;, 0;0;; }
    MeshMaterialList { 1; 1; 0;; { Red } }
  }
}
AnimationSet Slide {
  Animation { { Square } AnimationKey { 2; 2; 0;3;0,0,0;;, 4800;3;1,0,0;;; } }
}
`;
}
