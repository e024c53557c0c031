// Formats of models and motions that gambol does not read. A separate script, loaded lazily: it names them, with a way to glTF.
// The same table is in `crates/gltf/src/other_formats.rs`; a test compares their words.

/** Ways to glTF. */
const BLENDER = 'Open it in Blender (File, Import), and export glTF 2.0 as .glb.';
const ASSIMP =
  'Convert it with Assimp (assimp export IN OUT.glb -fglb2), or export glTF from the program that made it.';
const PROGRAM = 'Export glTF 2.0 (.glb) or FBX from the program that made it.';
const MMD = 'Open it in Blender with the add-on MMD Tools, and export glTF 2.0 as .glb.';
const MOTION = 'Convert it to BVH or FBX, for example in Blender with an add-on.';

/**
 * A format: its name, the beginnings of its files after {@link leads} (`?` is any character, and a space is white space), the
 * extensions of its names, and the way to glTF.
 */
const FORMATS: readonly (readonly [name: string, begins: readonly string[], extensions: string, way: string])[] = [
  ['a COLLADA document', ['<COLLADA'], 'dae', ASSIMP],
  ['a USD scene', ['PXR-USDC', '#usda '], 'usd|usda|usdc|usdz', BLENDER],
  ['a mesh in the format Wavefront OBJ', ['mtllib ', 'usemtl ', 'v ', 'vn ', 'vt ', 'o ', 'g ', 's '], 'obj', BLENDER],
  ['a model of Doom 3 (MD5)', ['MD5Version '], 'md5mesh|md5anim|md5camera', ASSIMP],
  ['a mesh in the format STL', ['solid '], 'stl', BLENDER],
  ['a mesh in the format PLY', ['ply\n', 'ply\r\n'], 'ply', BLENDER],
  ['a scene of Blender', ['BLENDER'], 'blend', 'Open it in Blender, and export glTF 2.0 as .glb.'],
  ['a scene of Maya', ['//Maya', 'FOR4????Maya', 'FOR8????????????Maya'], 'ma|mb', PROGRAM],
  ['a scene of 3ds Max', [], 'max', PROGRAM],
  ['a scene of Cinema 4D', ['QC4DC4D6'], 'c4d', PROGRAM],
  ['a scene in the format 3DS', [], '3ds', ASSIMP],
  ['an Alembic cache', ['Ogawa'], 'abc', BLENDER],
  ['an X3D or VRML scene', ['#VRML', '<X3D'], 'x3d|wrl', BLENDER],
  ['a model of MikuMikuDance', ['PMX ', 'Pmd'], 'pmx|pmd', MMD],
  ['a motion of MikuMikuDance', ['Vocaloid Motion Data'], 'vmd', MMD],
  ['a model of Quake', ['IDP2', 'IDP3', 'IDPO'], 'md2|md3|mdl', ASSIMP],
  ['a model of Source or Half-Life', ['IDST', 'version 1 nodes'], 'smd|qc|vta', ASSIMP],
  ['a model of MilkShape', ['MS3D000000'], 'ms3d', ASSIMP],
  ['a model of Blitz3D', ['BB3D'], 'b3d', ASSIMP],
  ['a model of LightWave', ['FORM????LW'], 'lwo|lws', ASSIMP],
  ['a CAD model', ['ISO-10303-21'], 'step|stp|iges|igs', PROGRAM],
  [
    'an asset of Unity',
    ['%YAML'],
    'anim|prefab|unity|unitypackage',
    'Export it from Unity with the package UnityGLTF or glTFast.',
  ],
  ['an asset of Unreal', [], 'uasset|umap', 'Export it from Unreal with the plug-in glTF Exporter.'],
  ['motion capture in the format C3D', [], 'c3d', MOTION],
  ['motion capture in the format TRC', ['PathFileType '], 'trc', MOTION],
  ['motion capture in the format Acclaim', [':version', ':VERSION', ':FULLY-SPECIFIED'], 'asf|amc', MOTION],
];

/** The words for a file of another format, as the end of a sentence, and the way to glTF; undefined if it is unknown. */
export function otherFormat(bytes: Uint8Array, name: string): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048)).replace(/^ï»¿/, '');
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
  const isPage = /^\s*<(?:!doctype html|html)/i.test(head);
  const starts = leads(head);
  const found =
    FORMATS.find(([, begins]) => begins.some((pattern) => starts.some((start) => matcher(pattern).test(start)))) ??
    (isPage
      ? undefined
      : FORMATS.find(([, , known]) => extension !== undefined && known.split('|').includes(extension)));
  return found && `${found[0]}, which gambol does not read. ${found[3]}`;
}

/** The text as it is, without remarks (`#`) at its beginning, and without the head of an XML document. */
function leads(head: string): readonly string[] {
  // One step for each remark: a pattern for all of them would take exponential time for some files.
  const after = (step: RegExp): string => {
    let rest = head.trimStart();
    for (let found = step.exec(rest); found; found = step.exec(rest)) rest = rest.slice(found[0].length).trimStart();
    return rest;
  };
  return [head, after(/^#[^\n]*/), after(/^<(?:!--[\s\S]*?-->|(?:\?|!(?!--))[^>]*>)/)];
}

function matcher(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[^\w? \n\r]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('?', '[^]').replaceAll(' ', '\\s+')}`);
}
