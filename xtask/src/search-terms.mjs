// Words of glTF, three.js and other engines under which the search finds a guide that does not have them.

export const TERMS = {
  'first-page':
    'WebGLRenderer GLTFLoader Scene PerspectiveCamera OrbitControls requestAnimationFrame DRACOLoader KTX2Loader start install',
  embedding:
    'npm CDN unpkg jsdelivr importmap Vite webpack React Vue Svelte Solid Next.js bundler CSP server-side rendering SSR',
  'playing-and-seeking':
    'AnimationMixer AnimationAction clipAction action.time timeScale setTime setLoop LoopOnce LoopRepeat LoopPingPong repetitions clampWhenFinished AnimationGroup goToFrame speed reverse pause',
  transitions:
    'crossFadeTo crossFadeFrom fadeIn fadeOut crossfade warp inertialization blending AnimationAction setEffectiveWeight state machine',
  'layers-and-masks':
    'makeClipAdditive AdditiveAnimationBlendMode AnimationGroupMask setEffectiveWeight avatar mask upper body override additive weight',
  morphs:
    'morphTargetInfluences morphTargetDictionary MorphTargetManager blend shapes shape keys ARKit visemes facial expression weights',
  expressions:
    'VRMExpressionManager VRMLookAt BlendShapeProxy ARKit 52 blendshapes Oculus visemes OVRLipSync lip sync mouth phoneme talking head speech TTS AnalyserNode eye blink saccade emotion mood morphTargetInfluences',
  states:
    'state machine AnimatorController Animator animation graph AnimGraph AnimationTree AnimationNodeStateMachine Rive inputs trigger setTrigger setBool setFloat any state exit time transition parameters',
  'blend-spaces': 'blend tree BlendTree 1D 2D locomotion syncWith phase sync warp setEffectiveWeight',
  'other-files':
    'retargetClip SkeletonUtils FBXLoader BVHLoader Mixamo VRM VRMA humanoid retarget Avatar motion capture mocap',
  'attachments-and-labels': 'bone.add Bone socket CSS2DRenderer hotspot annotation attachToBone parenting',
  exporting:
    'GLTFExporter OBJExporter USDZExporter export GLB OBJ save download freeze pose apply pose bake vertex animation texture VAT vertex cache Alembic ABC point cache morph cache motion capture record animation clip',
  sprites:
    'Sprite SpriteMaterial SpriteManager SpriteRenderer billboardMode texture atlas sprite sheet spritesheet flipbook UV animation texture.offset texture.repeat AnimatedSprite emote speech bubble particle impostor',
  'looking-and-reaching':
    'bone.lookAt CCDIKSolver BoneIKController IK two-bone inverse kinematics SkinnedMesh skeleton Bone head tracking gaze',
  'root-motion':
    'RootMotion RootMotionClip RootMotionController applyRootMotion deltaPosition deltaRotation OnAnimatorMove locomotion in place treadmill foot sliding character controller KinematicCharacterController velocity',
  'springs-and-feet':
    'SpringBoneManager VRMSpringBoneManager jiggle physics secondary motion hair cloth tail FABRIK CCD CCDIKSolver foot placement foot IK ground terrain slope stairs pelvis head tracking',
  timelines: 'mixer.update setTime ScrollTimeline ViewTimeline clock delta audio video sync scrub',
  'several-characters':
    'extra-model scene.add clone SkeletonUtils.clone multiple models multi-model AnimationObjectGroup parenting',
  crowds:
    'InstancedMesh InstancedSkinnedMesh SkeletonUtils.clone animation textures VAT instancing EXT_mesh_gpu_instancing LOD frustumCulled',
  'light-and-shadow':
    'RGBELoader HDRLoader PMREMGenerator scene.environment toneMapping toneMappingExposure DirectionalLight castShadow HemisphereLight IBL SkinnedMesh',
  inspecting:
    'lint check validate quality assurance foot skate foot sliding foot skating loop seam pop hitch jitter T-pose bind pose gltf-validator linter animation doctor',
  'command-line':
    'CLI npx terminal shell script gltf-transform gltfpack obj2gltf FBX2glTF gltf-pipeline gltf-validator headless screenshot thumbnail CI GitHub Actions batch',
  recording:
    'MediaRecorder captureStream CCapture WebCodecs VideoEncoder VP9 AV1 H.264 AVC mp4 webm gif apng sprite sheet screen capture export video turntable alpha replay',
  stills: 'toDataURL toBlob screenshot preserveDrawingBuffer thumbnail PNG renderAt',
  optimizing:
    'gltfpack gltf-transform resample quantize meshopt EXT_meshopt_compression KHR_mesh_quantization compress optimizer keyframe reduction decimate file size prune dedup weld simplify diff compare',
  performance:
    'FPS frame rate draw calls renderer.info stats DPR pixel ratio setPixelRatio memory boneTexture SkinnedMesh',
  troubleshooting: 'T-pose black model missing textures CORS context lost white screen frustumCulled',
  crate: 'Rust crates.io native server gltf ozz Bevy',
  'from-three-js':
    'AnimationMixer crossFadeTo SkinnedMesh morphTargetInfluences timeScale Skeleton Bone KeyframeTrack QuaternionKeyframeTrack AnimationClip AnimationUtils',
  errors: 'exception throw code GambolError warning message validator',
  faults: 'validator invalid broken file repair',
};
