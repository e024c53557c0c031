// Golden pictures of materials: one feature each, with four values if it has any.

import { FILTERED, SQUEEZED, four, gallery, type Declare } from '../support/gallery.ts';
import { between, bumps, checks, fields, painted, stripes } from '../support/paint.ts';
import { lit, type Json, type Rgb, type Scene } from '../support/scene.ts';
import { box, material, mesh, sphere } from '../support/shapes.ts';

const { PI, SQRT1_2, cos, sin } = Math;

/** Four spheres whose materials have an extension with four values. */
function extension(
  scene: Declare,
  name: string,
  extension: string,
  color: Rgb,
  [metallic, roughness]: readonly [number, number],
  values: readonly Json[],
): void {
  scene(name, (made) =>
    four(
      made,
      values.map((value) => material(made, color, metallic, roughness, { [extension]: value })),
    ),
  );
}

/** A patterned wall behind the objects. */
function wall(made: Scene): void {
  const index = painted(made, (u, v) => between([40, 70, 150], [220, 200, 60], fields(8, u, v)));
  const paper = material(made, [1, 1, 1], 0, 1, {}, { pbr: { baseColorTexture: { index } } });
  made.node({ mesh: made.square(paper), translation: [0, 0, -1], scale: [1.4, 1.4, 1] });
}

const clear = { KHR_materials_transmission: { transmissionFactor: 1 } };

gallery('materials', (scene) => {
  scene('roughness', (made) => {
    // Above as a dielectric, below as a metal; from smooth to rough.
    const shape = sphere();
    for (const metallic of [0, 1]) {
      [0, 0.25, 0.5, 1].forEach((roughness, i) => {
        const index = material(made, [0.9, 0.55, 0.35], metallic, roughness);
        made.node({
          mesh: mesh(made, shape, index),
          translation: [-0.78 + 0.52 * i, 0.35 - 0.7 * metallic, 0],
          scale: [0.25, 0.25, 0.25],
        });
      });
    }
  });

  scene(
    'textures',
    (made) => {
      const [index, rough] = [
        painted(made, (u, v) => [255 * u, 255 * v, 60 + 140 * fields(8, u, v)]),
        // Roughness in green, metallic in blue.
        painted(made, (u, v) => [0, 50 + 205 * stripes(8, u), 255 * stripes(4, v)]),
      ];
      four(made, [
        material(made, [1, 1, 1], 0, 0.6, {}, { pbr: { baseColorTexture: { index } } }),
        material(made, [1, 0.3, 0.3], 0, 0.6, {}, { pbr: { baseColorTexture: { index } } }),
        material(made, [0.9, 0.7, 0.4], 1, 1, {}, { pbr: { metallicRoughnessTexture: { index: rough } } }),
        material(
          made,
          [0.9, 0.7, 0.4],
          1,
          0.5,
          {},
          { pbr: { baseColorTexture: { index }, metallicRoughnessTexture: { index: rough } } },
        ),
      ]);
    },
    { tolerance: FILTERED },
  );

  scene(
    'normal-map',
    (made) => {
      // Tangents are generated. The third is flat again by its scale. On the fourth U is reversed, and since the map is
      // symmetric, it looks like the first.
      const index = painted(made, bumps);
      const materials = [
        material(made, [0.3, 0.3, 0.3], 0, 0.3, {}, { normalTexture: { index } }),
        material(made, [0.7, 0.7, 0.7], 1, 0.3, {}, { normalTexture: { index, scale: 0.5 } }),
        material(made, [0.7, 0.7, 0.7], 1, 0.3, {}, { normalTexture: { index, scale: 0 } }),
      ];
      four(made, materials);
      const shape = sphere();
      shape.uvs = shape.uvs.map((value, i) => (i % 2 ? value : 1 - value));
      made.node({
        mesh: mesh(made, shape, materials[0] ?? 0),
        translation: [0.52, -0.52, 0],
        scale: [0.46, 0.46, 0.46],
      });
    },
    { tolerance: FILTERED },
  );

  scene(
    'tangents',
    (made) => {
      // At the upper left the file's tangents, beside them generated ones, which are the same. Below, W is negated, so
      // that green is down; the last is anisotropic along them.
      const index = painted(made, bumps);
      const shape = sphere();
      const along = (w: number): number =>
        made.accessor(
          'VEC4',
          Array.from({ length: shape.uvs.length / 2 }, (_, i) => {
            const phi = ((shape.uvs[2 * i] ?? 0) - 0.5) * 2 * PI;
            return [cos(phi), 0, -sin(phi), w];
          }).flat(),
        );
      const bumpy = material(made, [0.9, 0.9, 0.9], 1, 0.3, {}, { normalTexture: { index } });
      [along(1), undefined, along(-1)].forEach((TANGENT, i) => {
        const ball = mesh(made, shape, bumpy, TANGENT === undefined ? {} : { TANGENT });
        made.node({
          mesh: ball,
          translation: [i % 2 ? 0.52 : -0.52, i < 2 ? 0.52 : -0.52, 0],
          scale: [0.46, 0.46, 0.46],
        });
      });
      const brushed = material(made, [0.9, 0.9, 0.9], 1, 0.35, {
        KHR_materials_anisotropy: { anisotropyStrength: 0.8 },
      });
      made.node({
        mesh: mesh(made, shape, brushed, { TANGENT: along(1) }),
        translation: [0.52, -0.52, 0],
        scale: [0.46, 0.46, 0.46],
      });
    },
    { tolerance: SQUEEZED },
  );

  scene(
    'occlusion',
    (made) => {
      // Occlusion darkens the environment's light, but not that of the directional light at the right.
      const index = painted(made, (u) => [255 * stripes(16, u), 0, 0]);
      four(
        made,
        [0, 1, 0.5, 1].map((strength, i) =>
          material(made, [0.8, 0.8, 0.8], i === 3 ? 1 : 0, 0.5, {}, { occlusionTexture: { index, strength } }),
        ),
      );
      made.node({
        extensions: lit(made.light({ type: 'directional', intensity: 2, color: [1, 0.8, 0.5] })),
        rotation: [0, sin(PI / 5), 0, cos(PI / 5)],
      });
    },
    { tolerance: SQUEEZED },
  );

  scene(
    'emissive',
    (made) => {
      const strength = 'KHR_materials_emissive_strength';
      const index = painted(made, checks(8, [0, 255]));
      four(made, [
        material(made, [0.1, 0.1, 0.1], 0, 0.5, {}, { emissiveFactor: [0, 0.3, 0.6] }),
        material(made, [0.1, 0.1, 0.1], 0, 0.5, {}, { emissiveFactor: [0.2, 0.8, 0.2], emissiveTexture: { index } }),
        material(
          made,
          [0.1, 0.1, 0.1],
          0,
          0.5,
          { [strength]: { emissiveStrength: 4 } },
          { emissiveFactor: [1, 0.1, 0.02] },
        ),
        material(
          made,
          [0.1, 0.1, 0.1],
          0,
          0.5,
          { [strength]: { emissiveStrength: 40 } },
          { emissiveFactor: [1, 0.1, 0.02], emissiveTexture: { index } },
        ),
      ]);
      // An emissive strength of 40 amplifies small differences between texture filters.
    },
    { tolerance: { channel: 12, outliers: 0.02 } },
  );

  scene('vertex-colours', (made) => {
    const shape = sphere();
    const colors = (alpha: boolean): number =>
      made.accessor(
        alpha ? 'VEC4' : 'VEC3',
        Array.from({ length: shape.uvs.length / 2 }, (_, i) => {
          const [u = 0, v = 0] = shape.uvs.slice(2 * i, 2 * i + 2);
          return [
            0.5 + 0.5 * cos(4 * PI * u),
            v,
            0.5 - 0.5 * cos(4 * PI * u),
            ...(alpha ? [0.5 + 0.5 * cos(8 * PI * u)] : []),
          ];
        }).flat(),
      );
    [
      [colors(false), {}],
      [colors(true), { alphaMode: 'BLEND' }],
    ].forEach(([COLOR_0, more], i) => {
      const index = material(made, [1, 1, 0.5], 0, 0.5, {}, more as object);
      made.node({
        mesh: mesh(made, shape, index, { COLOR_0: COLOR_0 as number }),
        translation: [i ? 0.52 : -0.52, 0, 0],
        scale: [0.46, 0.46, 0.46],
      });
    });
  });

  scene('alpha', (made) => {
    // From above: opaque in spite of alpha 0.3; masked below 0.5; two panes and the objects behind them; two panes that
    // intersect.
    const disc = painted(made, (u, v) => [230, 120, 60, Math.hypot(u - 0.5, v - 0.5) < 0.4 ? 255 : 0]);
    const pane = (color: Rgb, alpha: number, more: object): number =>
      made.square(
        material(made, color, 0, 0.6, {}, { pbr: { baseColorFactor: [...color, alpha] }, doubleSided: true, ...more }),
      );
    const put = (index: number, x: number, y: number, z = 0, turn = 0): void => {
      made.node({
        mesh: index,
        translation: [x, y, z],
        scale: [0.35, 0.35, 0.35],
        rotation: [0, sin(turn / 2), 0, cos(turn / 2)],
      });
    };
    put(pane([0.3, 0.5, 0.9], 0.3, {}), -0.5, 0.5);
    put(
      made.square(
        material(made, [1, 1, 1], 0, 0.6, {}, { alphaMode: 'MASK', pbr: { baseColorTexture: { index: disc } } }),
      ),
      0.5,
      0.5,
    );
    const [red, green] = [
      pane([0.9, 0.1, 0.1], 0.5, { alphaMode: 'BLEND' }),
      pane([0.1, 0.8, 0.1], 0.5, { alphaMode: 'BLEND' }),
    ];
    put(green, -0.65, -0.6, -0.3);
    put(red, -0.4, -0.4, 0.2);
    put(pane([0.8, 0.8, 0.2], 1, {}), -0.5, -0.5, -0.6);
    put(red, 0.5, -0.5, 0.3, 0.6);
    put(pane([0.1, 0.3, 0.9], 0.5, { alphaMode: 'BLEND' }), 0.5, -0.5, -0.3, -0.6);
  });

  scene('double-sided', (made) => {
    // Above from the front, below from behind; at the left single-sided, at the right double-sided. Light comes from
    // the front.
    for (const sides of [1, 2]) {
      const index = made.square(material(made, [0.8, 0.4, 0.2], 0, 0.5, {}, { doubleSided: sides === 2 }));
      for (const back of [0, 1]) {
        const turn = back * PI + 0.5;
        const rotation = [0, sin(turn / 2), 0, cos(turn / 2)];
        made.node({
          mesh: index,
          translation: [sides * 1.04 - 1.56, 0.52 - 1.04 * back, 0],
          scale: [0.4, 0.4, 0.4],
          rotation,
        });
      }
    }
    // With a mirroring scale the front remains the front.
    made.node({
      mesh: made.square(material(made, [0.2, 0.5, 0.8], 0, 0.5)),
      scale: [-0.12, 0.12, 0.12],
      translation: [0, 0, 0.1],
    });
    made.node({ extensions: lit(made.light({ type: 'directional', intensity: 2 })) });
  });

  scene(
    'two-uv-sets',
    (made) => {
      const shape = sphere();
      const index = painted(made, checks(8));
      const swapped = made.accessor(
        'VEC2',
        shape.uvs.map((_, i) => (shape.uvs[i ^ 1] ?? 0) * (i % 2 ? 2 : 0.5)),
      );
      const glow = painted(made, (u, v) => between([0, 0, 0], [0, 120, 200], stripes(4, u) * stripes(4, v)));
      const looks: Json[] = [
        { pbr: { baseColorTexture: { index } } },
        { pbr: { baseColorTexture: { index, texCoord: 1 } } },
        {
          pbr: { baseColorTexture: { index } },
          emissiveTexture: { index: glow, texCoord: 1 },
          emissiveFactor: [1, 1, 1],
        },
        {
          pbr: { baseColorTexture: { index, texCoord: 1 } },
          emissiveTexture: { index: glow },
          emissiveFactor: [1, 1, 1],
        },
      ];
      looks.forEach((look, i) => {
        const ball = mesh(made, shape, material(made, [0.9, 0.8, 0.7], 0, 0.6, {}, look), { TEXCOORD_1: swapped });
        made.node({
          mesh: ball,
          translation: [i % 2 ? 0.52 : -0.52, i < 2 ? 0.52 : -0.52, 0],
          scale: [0.46, 0.46, 0.46],
        });
      });
    },
    { tolerance: SQUEEZED },
  );

  scene(
    'unlit',
    (made) => {
      const index = painted(made, checks(8));
      const unlit = { KHR_materials_unlit: {} };
      four(made, [
        material(made, [0.9, 0.2, 0.1], 0, 0.5, unlit),
        material(made, [0.9, 0.2, 0.1], 0, 0.5),
        material(made, [0.2, 0.9, 0.4], 0, 0.5, unlit, { pbr: { baseColorTexture: { index } } }),
        material(made, [1, 1, 1], 0, 0.5, unlit),
      ]);
    },
    { tolerance: FILTERED },
  );

  scene(
    'punctual-lights',
    (made) => {
      // A point light, a spot light and a directional one, each in its colour, over a box and the wall behind it.
      const grey = material(made, [0.7, 0.7, 0.7], 0, 0.5);
      made.node({ mesh: made.square(grey), scale: [1.3, 1.3, 1], translation: [0, 0, -0.5] });
      made.node({
        mesh: mesh(made, box(), grey),
        scale: [0.25, 0.25, 0.25],
        rotation: [0.25, 0.35, 0, Math.sqrt(0.815)],
      });
      made.node({
        extensions: lit(made.light({ type: 'point', color: [1, 0.3, 0.1], intensity: 1.5 })),
        translation: [-0.7, 0.5, 0.1],
      });
      const spot = { innerConeAngle: 0.15, outerConeAngle: 0.3 };
      made.node({
        extensions: lit(made.light({ type: 'spot', color: [0.2, 1, 0.3], intensity: 20, spot })),
        translation: [0.5, -0.5, 1.5],
      });
      made.node({
        extensions: lit(made.light({ type: 'directional', color: [0.2, 0.4, 1], intensity: 1.5 })),
        rotation: [-SQRT1_2, 0, 0, SQRT1_2],
      });
    },
    { environmentIntensity: 0.15 },
  );
});

gallery('extensions', (scene) => {
  extension(
    scene,
    'ior',
    'KHR_materials_ior',
    [0.05, 0.05, 0.08],
    [0, 0.1],
    [1, 1.33, 1.5, 2.4].map((ior) => ({ ior })),
  );

  extension(
    scene,
    'specular',
    'KHR_materials_specular',
    [0.1, 0.1, 0.1],
    [0, 0.2],
    [
      { specularFactor: 0 },
      { specularFactor: 1 },
      { specularColorFactor: [4, 0.5, 0.5] },
      { specularFactor: 0.5, specularColorFactor: [0, 10, 20] },
    ],
  );

  scene(
    'clearcoat',
    (made) => {
      const coat = 'KHR_materials_clearcoat';
      const index = painted(made, bumps);
      const coats: [Json, Json][] = [
        [{ clearcoatFactor: 0 }, {}],
        [{ clearcoatFactor: 1 }, {}],
        [{ clearcoatFactor: 1, clearcoatRoughnessFactor: 0.4 }, {}],
        // Bumps below a smooth coat.
        [{ clearcoatFactor: 1 }, { normalTexture: { index } }],
      ];
      four(
        made,
        coats.map(([value, more]) => material(made, [0.5, 0.03, 0.03], 0, 0.6, { [coat]: value }, more)),
      );
    },
    { tolerance: FILTERED },
  );

  scene(
    'clearcoat-normal',
    (made) => {
      const index = painted(made, bumps);
      const coat = (value: Json): Json => ({ KHR_materials_clearcoat: { clearcoatFactor: 1, ...value } });
      const checked = { index: painted(made, checks(8, [0, 255])) };
      four(made, [
        material(made, [0.03, 0.1, 0.4], 0, 0.6, coat({ clearcoatNormalTexture: { index } })),
        material(made, [0.03, 0.1, 0.4], 0, 0.6, coat({ clearcoatNormalTexture: { index } }), {
          normalTexture: { index },
        }),
        material(made, [0.03, 0.1, 0.4], 1, 0.6, coat({ clearcoatTexture: checked })),
        material(
          made,
          [0.03, 0.1, 0.4],
          1,
          0.6,
          coat({ clearcoatRoughnessFactor: 0.6, clearcoatRoughnessTexture: checked }),
        ),
      ]);
      // A bumpy mirror amplifies small differences between texture filters.
    },
    { tolerance: { channel: 12, outliers: 0.02 } },
  );

  extension(
    scene,
    'sheen',
    'KHR_materials_sheen',
    [0.25, 0.05, 0.08],
    [0, 0.9],
    [
      { sheenColorFactor: [0, 0, 0] },
      { sheenColorFactor: [1, 0.7, 0.7], sheenRoughnessFactor: 0.2 },
      { sheenColorFactor: [1, 0.7, 0.7], sheenRoughnessFactor: 0.5 },
      { sheenColorFactor: [0.3, 0.6, 1], sheenRoughnessFactor: 1 },
    ],
  );

  scene(
    'transmission',
    (made) => {
      wall(made);
      four(made, [
        material(made, [1, 1, 1], 0, 0, clear),
        material(made, [0.5, 0.9, 0.6], 0, 0, clear),
        material(made, [1, 1, 1], 0, 0.4, clear),
        material(made, [0.9, 0.3, 0.2], 0, 0.1, { KHR_materials_transmission: { transmissionFactor: 0.5 } }),
      ]);
    },
    { tolerance: FILTERED },
  );

  scene(
    'volume',
    (made) => {
      wall(made);
      const glass = (volume: Json, ior: number): Json => ({
        ...clear,
        KHR_materials_volume: volume,
        KHR_materials_ior: { ior },
      });
      four(made, [
        material(made, [1, 1, 1], 0, 0, glass({ thicknessFactor: 1 }, 1.15)),
        material(made, [1, 1, 1], 0, 0, glass({ thicknessFactor: 1 }, 1.5)),
        material(
          made,
          [1, 1, 1],
          0,
          0,
          glass({ thicknessFactor: 1, attenuationDistance: 0.5, attenuationColor: [0.9, 0.3, 0.2] }, 1.3),
        ),
        material(
          made,
          [1, 1, 1],
          0,
          0.3,
          glass({ thicknessFactor: 1, attenuationDistance: 0.3, attenuationColor: [0.2, 0.6, 0.9] }, 1.5),
        ),
      ]);
    },
    { tolerance: FILTERED },
  );

  scene(
    'dispersion',
    (made) => {
      wall(made);
      four(
        made,
        [0, 1, 5, 20].map((dispersion) =>
          material(made, [1, 1, 1], 0, 0, {
            ...clear,
            KHR_materials_volume: { thicknessFactor: 1 },
            KHR_materials_ior: { ior: 1.5 },
            KHR_materials_dispersion: { dispersion },
          }),
        ),
      );
    },
    { tolerance: FILTERED },
  );

  scene(
    'iridescence',
    (made) => {
      const film = (thickness: number, ior = 1.3): Json => ({
        KHR_materials_iridescence: {
          iridescenceFactor: 1,
          iridescenceIor: ior,
          iridescenceThicknessMaximum: thickness,
        },
      });
      four(made, [
        material(made, [0.8, 0.8, 0.8], 1, 0.15, film(200)),
        material(made, [0.8, 0.8, 0.8], 1, 0.15, film(450)),
        material(made, [0.02, 0.02, 0.02], 0, 0.1, film(300, 1.8)),
        material(made, [0.02, 0.02, 0.02], 0, 0.1, film(600, 1.8)),
      ]);
      // Towards the outline the colours of a thin film change within a pixel.
    },
    { tolerance: { channel: 4, outliers: 0.01 } },
  );

  extension(
    scene,
    'anisotropy',
    'KHR_materials_anisotropy',
    [0.9, 0.9, 0.9],
    [1, 0.35],
    [
      { anisotropyStrength: 0 },
      { anisotropyStrength: 0.5 },
      { anisotropyStrength: 1 },
      { anisotropyStrength: 1, anisotropyRotation: PI / 2 },
    ],
  );

  scene('diffuse-transmission', (made) => {
    // Light from behind at the right. Below with a volume, whose thickness makes the second one darker and redder.
    const wax = (color: Rgb, thickness: number): Json => ({
      KHR_materials_diffuse_transmission: { diffuseTransmissionFactor: 0.9, diffuseTransmissionColorFactor: color },
      KHR_materials_volume: {
        thicknessFactor: thickness,
        attenuationDistance: 0.5,
        attenuationColor: [0.9, 0.5, 0.2],
      },
    });
    const leaf = (factor: number): Json => ({
      KHR_materials_diffuse_transmission: {
        diffuseTransmissionFactor: factor,
        diffuseTransmissionColorFactor: [0.6, 0.9, 0.1],
      },
    });
    four(made, [
      material(made, [0.1, 0.4, 0.1], 0, 0.5, leaf(0.2)),
      material(made, [0.1, 0.4, 0.1], 0, 0.5, leaf(0.8)),
      material(made, [0.9, 0.8, 0.7], 0, 0.5, wax([1, 1, 1], 0.2)),
      material(made, [0.9, 0.8, 0.7], 0, 0.5, wax([1, 1, 1], 1.5)),
    ]);
    const light = made.light({ type: 'directional', intensity: 4 });
    made.node({ extensions: lit(light), rotation: [0, sin(0.4 * PI), 0, cos(0.4 * PI)] });
  });

  extension(
    scene,
    'specular-glossiness',
    'KHR_materials_pbrSpecularGlossiness',
    [1, 1, 1],
    [1, 1],
    [
      { diffuseFactor: [0.6, 0.2, 0.1, 1], specularFactor: [0.04, 0.04, 0.04], glossinessFactor: 0.3 },
      { diffuseFactor: [0.6, 0.2, 0.1, 1], specularFactor: [0.04, 0.04, 0.04], glossinessFactor: 0.95 },
      { diffuseFactor: [0, 0, 0, 1], specularFactor: [0.9, 0.7, 0.3], glossinessFactor: 0.8 },
      { diffuseFactor: [0.1, 0.1, 0.4, 1], specularFactor: [0.4, 0.1, 0.1], glossinessFactor: 0.6 },
    ],
  );
});
