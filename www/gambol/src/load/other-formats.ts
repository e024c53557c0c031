// Formats of models and motions that gambol does not read. A separate script, loaded lazily: it names them, with a way to glTF.

/** Ways to glTF. */
const BLENDER = 'Open it in Blender (File, Import), and export glTF 2.0 as .glb.';
const ASSIMP =
  'Convert it with Assimp (assimp export IN OUT.glb -fglb2), or export glTF from the program that made it.';
const PROGRAM = 'Export glTF 2.0 (.glb) or FBX from the program that made it.';
const MOTION = 'Convert it to BVH or FBX, for example in Blender with an add-on.';

/** A format: its name, its first characters as Latin-1, the endings of its names, and the way to glTF. */
const FORMATS: readonly (readonly [name: string, begins: RegExp | undefined, endings: string, way: string])[] = [
  ['a COLLADA document', /^(?:<\?xml[^>]*>|<!--[\s\S]*?-->|\s)*<COLLADA/, 'dae', ASSIMP],
  ['a USD scene', /^(?:PXR-USDC|#usda )/, 'usd|usda|usdc|usdz', BLENDER],
  ['a mesh in the format Wavefront OBJ', /^(?:#[^\n]*\n|\s)*(?:mtllib|usemtl|v|vn|vt|o|g|s)[ \t]+\S/, 'obj', BLENDER],
  ['a model of Doom 3 (MD5)', /^MD5Version\s/, 'md5mesh|md5anim|md5camera', ASSIMP],
  ['a mesh in the format STL', /^solid\s/, 'stl', BLENDER],
  ['a mesh in the format PLY', /^ply\r?\n/, 'ply', BLENDER],
  ['a scene of Blender', /^BLENDER/, 'blend', 'Open it in Blender, and export glTF 2.0 as .glb.'],
  ['a scene of Maya', /^(?:\/\/Maya|FOR[48][\s\S]{4,12}Maya)/, 'ma|mb', PROGRAM],
  ['a scene of 3ds Max', undefined, 'max', PROGRAM],
  ['a scene of Cinema 4D', /^QC4DC4D6/, 'c4d', PROGRAM],
  ['a scene in the format 3DS', undefined, '3ds', ASSIMP],
  ['an Alembic cache', /^Ogawa/, 'abc', BLENDER],
  ['an X3D or VRML scene', /^(?:#VRML|(?:<\?xml[^>]*>|<!DOCTYPE X3D[^>]*>|\s)*<X3D)/, 'x3d|wrl', BLENDER],
  [
    'a model of MikuMikuDance',
    /^(?:PMX |Pmd)/,
    'pmx|pmd',
    'Open it in Blender with the add-on MMD Tools, and export glTF 2.0 as .glb.',
  ],
  [
    'a motion of MikuMikuDance',
    /^Vocaloid Motion Data/,
    'vmd',
    'Open it in Blender with the add-on MMD Tools, and export glTF 2.0 as .glb.',
  ],
  ['a model of Quake', /^(?:IDP[23]|IDPO)/, 'md2|md3|mdl', ASSIMP],
  ['a model of Source or Half-Life', /^(?:IDST|version 1\s+nodes)/, 'smd|qc|vta', ASSIMP],
  ['a model of MilkShape', /^MS3D000000/, 'ms3d', ASSIMP],
  ['a model of Blitz3D', /^BB3D/, 'b3d', ASSIMP],
  ['a model of LightWave', /^FORM[\s\S]{4}LW/, 'lwo|lws', ASSIMP],
  ['a CAD model', /^ISO-10303-21/, 'step|stp|iges|igs', PROGRAM],
  [
    'an asset of Unity',
    /^%YAML/,
    'anim|prefab|unity|unitypackage',
    'Export it from Unity with the package UnityGLTF or glTFast.',
  ],
  ['an asset of Unreal', undefined, 'uasset|umap', 'Export it from Unreal with the plug-in glTF Exporter.'],
  ['motion capture in the format C3D', undefined, 'c3d', MOTION],
  ['motion capture in the format TRC', /^PathFileType\s/, 'trc', MOTION],
  ['motion capture in the format Acclaim', /^(?:#[^\n]*\n|\s)*:(?:version|FULLY-SPECIFIED)/i, 'asf|amc', MOTION],
];

/** The words for a file of another format, as the end of a sentence, and the way to glTF; undefined if it is unknown. */
export function otherFormat(bytes: Uint8Array, name: string): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048)).replace(/^ï»¿/, '');
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
  const isPage = /^\s*<(?:!doctype html|html)/i.test(head);
  const found =
    FORMATS.find(([, begins]) => begins?.test(head)) ??
    (isPage ? undefined : FORMATS.find(([, , endings]) => ending !== undefined && endings.split('|').includes(ending)));
  return found && `${found[0]}, which gambol does not read. ${found[3]}`;
}
