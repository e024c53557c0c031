// The categories of the API reference, in the order of its navigation. An export or a member that is missing here is a
// warning, which fails `cargo xtask test`.

const names = (text) => text.trim().split(/\s+/);

/** Exports of the entries of the package. */
export const EXPORTS = {
  'Viewers and actors': names(`
    createViewer Viewer ViewerOptions Visibility Actor AddOptions Performer Place Vector Quaternion`),
  'Loading and models': names(`
    AssetSource FileMap filesFromDrop JointInfo Limits LoadOptions Model ModelInfo Progress ViewerProgress`),
  'Clips of other files': names(`
    AddClipsOptions BoneNames BonePair ClipOptions HumanBone Humanoid Retarget retarget RetargetedClips RetargetedFile
    RetargetFileOptions RetargetOptions RetargetReport`),
  Playback: names(`
    Clip ClipChannel ClipRef LoopMode Marker PerformOptions Playback PlayOptions PlaySource RootMotion
    RootMotionOptions Segment SyncMode Timeline Travel ClipTravel Movement TransitionMode TransitionToOptions Transport`),
  Mixing: names(`
    BlendPoint BlendSpace BlendSpaceOptions BlendValue Layer LayerMode LayerOptions LayerReference Layers Mask`),
  'State machines': names(`
    StateInputs States StatesOptions StatesSource`),
  Joints: names(`
    ChainLimit ChainSolver FeetOptions GoalOptions Ground GroundFunction HingeLimit Joint JointFollower JointRef
    JointSpace JointSpaceOptions JointTransform LookOptions OverrideOptions ReachOptions Space SpringCollider
    SpringOptions`),
  'Morphs and expressions': names(`
    BlinkOptions Expression ExpressionInfo ExpressionKind ExpressionOptions ExpressionRule ExpressionSetup GlanceOptions
    Morph MorphInfo MorphOptions`),
  Lips: names(`
    cueWeights LipCue Lips lips LipsOptions LipsPerformer LipsSource`),
  'Sprites and materials': names(`
    BillboardMode FlipbookOptions Material MaterialRef SpriteImage SpriteOptions`),
  Crowds: names(`
    Crowd CrowdEvents CrowdLookOptions CrowdMembers CrowdOptions PickedMember UpdateRate VertexCacheOptions`),
  Camera: names(`
    CameraControlSettings CameraLimits CameraPadding CameraState Framing`),
  Lighting: names(`
    EnvironmentOptions EnvironmentSource LitPerformer ToneMapping`),
  Pictures: names(`
    PictureOptions Rgba Skinning StillOptions`),
  Recordings: names(`
    record RecordCodec recordFormats RecordFormat RecordOptions RecordProgress recordSession RecordUnsupported ReplayOptions
    replaySession Session SessionCall SessionRecording SessionTopic SessionValue SheetLayout sheetLayout`),
  'Exports and baked clips': names(`
    bake BakedData BakedFile BakedHeader BakeOptions BakeReport ExportOptions ObjFiles ObjOptions readBaked
    RecordMotionOptions`),
  'Points on the surface': names(`
    Picked Surface`),
  Events: names(`
    CrowdEvent CrowdEventDetails CrowdEventName ErrorDetail MemberDetail StateDetail TimeDetail ViewerEvent
    ViewerEventDetails ViewerEventListener ViewerEventName`),
  'Debug views and statistics': names(`
    DebugOverlay DebugSurface DebugView Stats`),
  'Errors and warnings': names(`
    GambolError GambolErrorDetails Warning`),
  'Poses without a viewer': names(`
    Asset loadAsset Pose`),
  'Files of other formats': names(`
    ConversionOptions ConvertedFile ForeignFormat toGlb`),
  'glTF files': names(`
    GltfFile GltfOptions readGltf`),
  'Tools for files': names(`
    diff Difference DifferencePlace DiffOptions optimize OptimizedFile OptimizeOptions OptimizeReport PartSizes ToolOptions`),
  'The animation doctor': names(`
    Finding FindingFix FindingPlot FindingSeverity FindingValue GltfValidator GltfValidatorModule inspect InspectOptions InspectReport`),
  'The WebAssembly module': names(`
    init InitOptions support Support version WasmSource`),
  Elements: names(`
    GambolActor GambolAttach GambolBillboard GambolCrowd GambolExpression GambolExtraModel GambolFlipbook GambolIk GambolLayer
    GambolLook GambolMarker GambolMorph GambolSpring GambolSprite GambolState GambolStates GambolTransition GambolViewer`),
  Attributes: names(`
    ActorAttributes AttachAttributes BillboardAttributes CrowdAttributes ExpressionAttributes ExtraModelAttributes
    FlipbookAttributes IkAttributes LayerAttributes LookAttributes MarkerAttributes MorphAttributes SpringAttributes
    SpriteAttributes StateAttributes StatesAttributes TransitionAttributes ViewerAttributes`),
  'Events of the element': names(`
    ElementEventDetails ElementEventMap ModelChildEventDetails ModelChildEventMap AddListener RemoveListener`),
  'Options and results of the element': names(`
    AppendOptions ElementPictureOptions ElementPlayOptions Finger FingerPath HotspotState Point SurfacePoint`),
};

/** Members of the classes that control playback, and of `<gambol-viewer>`. */
export const MEMBERS = {
  'Viewers and actors': names(`
    canvas viewer add addCrowd load unload remove dispose [dispose] place teleport entityTransform orientation scale loaded
    ready modelIsVisible visibility`),
  'Loading and models': names(`
    model clips info variants variant variantName availableVariants warnings bounds boundingSphere measure
    getDimensions getBoundingBoxCenter boundingBoxCenter boundingBoxExtents srcObject src animationSrc retarget loading
    reveal poster dismissPoster showPoster withCredentials externalResources decoders textureBudget mapURLs
    generateSchema`),
  Playback: names(`
    play pause stop seek seekFrame step clip currentTime duration progress paused ended iteration playbackRate
    timeScale loopMode loop repetitions segment startTime transition transitionDuration transitionTo setMarkers
    autoplay animationName animationIndex animationCrossfadeDuration availableAnimations fps reducedMotion poseHash
    name timeline timelineSource now advance rootMotion rootMotionDelta setRootMotion travel clipTravel`),
  Mixing: names(`
    states loadStates layers blend blendSpace mask mode sync weight fadeTo appendAnimation appendedAnimations detachAnimation`),
  Joints: names(`
    joint joints feet`),
  'Morphs and expressions': names(`
    morph expression blink glance`),
  'Sprites and materials': names(`
    addSprite material`),
  Camera: names(`
    camera cameraGoal cameraLimits cameraPadding cameraSmoothing cameraControls cameras activeCamera moveCamera orbit pan zoom
    frame framing resetCamera cameraIndex cameraOrbit cameraTarget fieldOfView minCameraOrbit maxCameraOrbit
    minFieldOfView maxFieldOfView disablePan disableTap disableZoom interpolationDecay orbitSensitivity
    panSensitivity zoomSensitivity touchAction keyboard getCameraOrbit getCameraTarget getFieldOfView
    getMinimumFieldOfView getMaximumFieldOfView getIdealAspect jumpCameraToGoal updateFraming interact autoRotate
    autoRotateDelay rotationPerSecond turntableRotation resetTurntableRotation interactionPrompt
    interactionPromptStyle interactionPromptThreshold resetInteractionPrompt`),
  Lighting: names(`
    environment environmentImage environmentIntensity environmentRotation setEnvironment exposure toneMapping skybox
    skyboxBlur skyboxHeight skyboxImage setSkyboxImage shadowIntensity shadowSoftness`),
  Pictures: names(`
    background skinning toBlob toDataURL renderAt maxDpr maxFps renderer`),
  Exports: names(`
    exportGlb exportObj`),
  'Points on the surface': names(`
    pick project surface occlusion positionAndNormalFromPoint surfaceFromPoint queryHotspot updateHotspot`),
  'Texts and bar': names(`
    alt a11y controls`),
  Events: names(`
    addEventListener removeEventListener`),
  'Debug views and statistics': names(`
    debug stats liveObjects`),
  'Custom element': names(`
    constructor adoptedCallback connectedCallback disconnectedCallback attributeChangedCallback observedAttributes`),
  'Names of model-viewer': names(`
    activateAR canActivateAR dracoDecoderLocation ktx2TranscoderLocation lottieLoaderLocation meshoptDecoderLocation
    minimumRenderScale modelCacheSize`),
};
