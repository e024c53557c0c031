//! Maps of human bones: one skeleton for each naming convention, skeletons without known names, and maps by hand.

use super::bodies::{biped, body, mixamo, unreal};
use crate::common::models::models;
use gambol::animation::retarget::{Convention, HumanoidMap};
use gambol::model::{HumanBone, Model, Node, NodeId, Skin, Transform};
use glam::Vec3;

/// A skeleton from lines of names, indented by their depth. Numbers after `@` are the translation.
fn tree(text: &str) -> Model {
    let mut model = Model::default();
    let mut path: Vec<usize> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        path.truncate(depth);
        let (name, at) = line.trim().split_once('@').unwrap_or((line.trim(), "0 0.1 0"));
        let at: Vec<f32> = at.split_whitespace().map(|number| number.parse().expect("a number")).collect();
        let rest = Transform { translation: Vec3::from_slice(&at), ..Transform::IDENTITY };
        let i = model.nodes.len();
        let parent = path.last().map(|parent| NodeId::new(*parent));
        model.nodes.push(Node {
            name: name.trim().to_owned(),
            source: i as u32,
            parent,
            rest,
            ..Node::default()
        });
        model.node_of_source.push(NodeId::new(i));
        path.push(i);
    }
    model
}

/// Asserts that a skeleton has a convention and these bones, as pairs of bone and node.
fn check(convention: Convention, text: &str, bones: &str) -> HumanoidMap {
    let model = tree(text);
    let map = HumanoidMap::find(&model).unwrap_or_else(|| panic!("{convention} is a humanoid"));
    assert_eq!(map.convention, convention);
    for pair in bones.lines().filter(|line| !line.trim().is_empty()) {
        let (bone, name) = pair.trim().split_once(' ').expect("a bone and a name");
        let bone = HumanBone::from_name(bone).unwrap_or_else(|| panic!("{bone} is a bone"));
        let got = map.node(bone).map(|node| &model.nodes[node.index()].name[..]);
        assert_eq!(got.unwrap_or("-"), name.trim(), "{convention} {bone}");
    }
    map
}

const MIXAMO: &str = "
mixamorig:Hips
 mixamorig:Spine
  mixamorig:Spine1
   mixamorig:Spine2
    mixamorig:Neck
     mixamorig:Head
      mixamorig:HeadTop_End
    mixamorig:LeftShoulder
     mixamorig:LeftArm
      mixamorig:LeftForeArm
       mixamorig:LeftHand
        mixamorig:LeftHandThumb1
         mixamorig:LeftHandThumb2
          mixamorig:LeftHandThumb3
           mixamorig:LeftHandThumb4
        mixamorig:LeftHandIndex1
         mixamorig:LeftHandIndex2
          mixamorig:LeftHandIndex3
           mixamorig:LeftHandIndex4
    mixamorig:RightShoulder
     mixamorig:RightArm
      mixamorig:RightForeArm
       mixamorig:RightHand
        mixamorig:RightHandPinky1
 mixamorig:LeftUpLeg
  mixamorig:LeftLeg
   mixamorig:LeftFoot
    mixamorig:LeftToeBase
     mixamorig:LeftToe_End
 mixamorig:RightUpLeg
  mixamorig:RightLeg
   mixamorig:RightFoot
    mixamorig:RightToeBase
";

const MIXAMO_BONES: &str = "
hips PHips
spine PSpine
chest PSpine1
upperChest PSpine2
neck PNeck
head PHead
leftShoulder PLeftShoulder
leftUpperArm PLeftArm
leftLowerArm PLeftForeArm
leftHand PLeftHand
leftThumbMetacarpal PLeftHandThumb1
leftThumbDistal PLeftHandThumb3
leftIndexIntermediate PLeftHandIndex2
rightLittleProximal PRightHandPinky1
rightUpperLeg PRightUpLeg
rightLowerLeg PRightLeg
rightFoot PRightFoot
leftToes PLeftToeBase
";

#[test]
fn retarget_map_of_mixamo_with_and_without_prefix_and_numbers() {
    for prefix in
        ["mixamorig:", "mixamorig1:", "mixamorig12:", "mixamorig", "mixamorig7", "", "Character1_", "a:b:"]
    {
        let map = check(
            Convention::Mixamo,
            &MIXAMO.replace("mixamorig:", prefix),
            &MIXAMO_BONES.replace(" P", &format!(" {prefix}")),
        );
        assert_eq!((map.spine().len(), map.ambiguous.len(), map.twists.len()), (3, 0, 0), "{prefix}");
    }
    // A converter that numbers all nodes.
    let numbered = |text: &str| text.lines().map(|line| format!("{line}_012\n")).collect::<String>();
    let (names, bones) = (numbered(MIXAMO.trim()), numbered(MIXAMO_BONES.trim()));
    check(Convention::Mixamo, &names, &bones.replace(" P", " mixamorig:"));
}

#[test]
fn retarget_map_of_ready_player_me() {
    let text = MIXAMO
        .replace("mixamorig:", "")
        .replace("      HeadTop_End\n", "      HeadTop_End\n      LeftEye\n      RightEye\n");
    let bones = MIXAMO_BONES.replace(" P", " ") + "leftEye LeftEye\nrightEye RightEye\n";
    check(Convention::ReadyPlayerMe, &text, &bones);
}

#[test]
fn retarget_map_of_unreal() {
    let map = check(
        Convention::Unreal,
        "
root
 pelvis
  spine_01
   spine_02
    spine_03
     spine_04
      spine_05
       clavicle_l
        upperarm_l
         upperarm_twist_01_l
         lowerarm_l
          lowerarm_twist_01_l
          hand_l
           index_metacarpal_l
            index_01_l
             index_02_l
              index_03_l
           thumb_01_l
            thumb_02_l
             thumb_03_l
       clavicle_r
        upperarm_r
         lowerarm_r
          hand_r
           pinky_01_r
       neck_01
        neck_02
         head
  thigh_l
   thigh_twist_01_l
   calf_l
    calf_twist_01_l
    foot_l
     ball_l
  thigh_r
   calf_r
    foot_r
     ball_r
 ik_foot_root
  ik_foot_l
  ik_foot_r
 ik_hand_root
  ik_hand_gun
",
        "
hips pelvis
spine spine_01
chest spine_03
upperChest spine_05
neck neck_01
head head
leftShoulder clavicle_l
leftUpperArm upperarm_l
leftLowerArm lowerarm_l
rightHand hand_r
leftThumbMetacarpal thumb_01_l
leftIndexProximal index_01_l
leftIndexDistal index_03_l
rightLittleProximal pinky_01_r
leftUpperLeg thigh_l
rightLowerLeg calf_r
leftFoot foot_l
rightToes ball_r
",
    );
    assert_eq!((map.spine().len(), map.twists.len()), (5, 4));
}

const RIGIFY: &str = "
DEF-spine
 DEF-spine.001
  DEF-spine.002
   DEF-spine.003
    DEF-spine.004
     DEF-spine.005
      DEF-spine.006
    DEF-shoulder.L
     DEF-upper_arm.L
      DEF-upper_arm.L.001
       DEF-forearm.L
        DEF-forearm.L.001
         DEF-hand.L
          DEF-palm.01.L
           DEF-f_index.01.L
            DEF-f_index.02.L
           DEF-thumb.01.L
    DEF-shoulder.R
     DEF-upper_arm.R
      DEF-forearm.R
       DEF-hand.R
        DEF-f_pinky.01.R
 DEF-pelvis.L
 DEF-thigh.L
  DEF-shin.L
   DEF-foot.L
    DEF-toe.L
 DEF-thigh.R
  DEF-shin.R
   DEF-foot.R
    DEF-toe.R
";

const RIGIFY_BONES: &str = "
hips Pspine
spine Pspine.001
chest Pspine.002
upperChest Pspine.003
neck Pspine.004
head Pspine.006
leftShoulder Pshoulder.L
leftUpperArm Pupper_arm.L
leftLowerArm Pforearm.L
rightHand Phand.R
leftThumbMetacarpal Pthumb.01.L
leftIndexIntermediate Pf_index.02.L
rightLittleProximal Pf_pinky.01.R
leftUpperLeg Pthigh.L
rightLowerLeg Pshin.R
leftFoot Pfoot.L
rightToes Ptoe.R
";

#[test]
fn retarget_map_of_rigify_metarig_and_generated() {
    for prefix in ["", "DEF-", "ORG-"] {
        check(
            Convention::Rigify,
            &RIGIFY.replace("DEF-", prefix),
            &RIGIFY_BONES.replace(" P", &format!(" {prefix}")),
        );
    }
    // Deforming bones and their originals in one file.
    let indented = |text: &str| text.trim().lines().map(|line| format!(" {line}\n")).collect::<String>();
    let both = format!("root\n{}{}", indented(&RIGIFY.replace("DEF-", "ORG-")), indented(RIGIFY));
    check(Convention::Rigify, &both, &RIGIFY_BONES.replace(" P", " DEF-"));
}

#[test]
fn retarget_map_of_character_creator() {
    let text = "
RL_BoneRoot
 CC_Base_Hip
  CC_Base_Pelvis
   CC_Base_L_Thigh
    CC_Base_L_Calf
     CC_Base_L_Foot
      CC_Base_L_ToeBase
       CC_Base_L_ToeBaseShareBone
     CC_Base_L_CalfTwist01
    CC_Base_L_ThighTwist01
   CC_Base_R_Thigh
    CC_Base_R_Calf
     CC_Base_R_Foot
      CC_Base_R_ToeBase
  CC_Base_Waist
   CC_Base_Spine01
    CC_Base_Spine02
     CC_Base_NeckTwist01
      CC_Base_NeckTwist02
       CC_Base_Head
        CC_Base_FacialBone
         CC_Base_JawRoot
         CC_Base_L_Eye
     CC_Base_L_Clavicle
      CC_Base_L_Upperarm
       CC_Base_L_UpperarmTwist01
       CC_Base_L_Forearm
        CC_Base_L_Hand
         CC_Base_L_Mid1
          CC_Base_L_Mid2
     CC_Base_R_Clavicle
      CC_Base_R_Upperarm
       CC_Base_R_Forearm
        CC_Base_R_Hand
         CC_Base_R_Thumb1
";
    let map = check(
        Convention::CharacterCreator,
        text,
        "
hips CC_Base_Hip
spine CC_Base_Waist
chest CC_Base_Spine01
upperChest CC_Base_Spine02
neck CC_Base_NeckTwist01
head CC_Base_Head
jaw CC_Base_JawRoot
leftEye CC_Base_L_Eye
leftUpperArm CC_Base_L_Upperarm
rightLowerArm CC_Base_R_Forearm
leftMiddleIntermediate CC_Base_L_Mid2
rightThumbMetacarpal CC_Base_R_Thumb1
leftUpperLeg CC_Base_L_Thigh
rightToes CC_Base_R_ToeBase
",
    );
    assert_eq!(map.twists.len(), 3 + 1, "those of arm and leg, and a joint of the neck");
}

#[test]
fn retarget_map_of_3ds_max_biped() {
    for prefix in ["Bip01 ", "Bip001 ", "Bip01_", "Bip001_"] {
        let text = "
Bip01
 Bip01 Footsteps
 Bip01 Pelvis
  Bip01 Spine
   Bip01 Spine1
    Bip01 Neck
     Bip01 Head
     Bip01 L Clavicle
      Bip01 L UpperArm
       Bip01 L Forearm
        Bip01 L Hand
         Bip01 L Finger0
          Bip01 L Finger01
           Bip01 L Finger02
         Bip01 L Finger1
          Bip01 L Finger11
     Bip01 R Clavicle
      Bip01 R UpperArm
       Bip01 R Forearm
        Bip01 R Hand
         Bip01 R Finger4
          Bip01 R Finger41
   Bip01 L Thigh
    Bip01 L Calf
     Bip01 L Foot
      Bip01 L Toe0
   Bip01 R Thigh
    Bip01 R Calf
     Bip01 R Foot
      Bip01 R Toe0
";
        let bones = "
hips Bip01 Pelvis
spine Bip01 Spine
chest Bip01 Spine1
neck Bip01 Neck
head Bip01 Head
leftShoulder Bip01 L Clavicle
leftUpperArm Bip01 L UpperArm
leftThumbMetacarpal Bip01 L Finger0
leftThumbDistal Bip01 L Finger02
leftIndexIntermediate Bip01 L Finger11
rightLittleIntermediate Bip01 R Finger41
rightUpperLeg Bip01 R Thigh
leftToes Bip01 L Toe0
";
        check(Convention::Biped, &text.replace("Bip01 ", prefix), &bones.replace("Bip01 ", prefix));
    }
}

#[test]
fn retarget_map_of_blender_names() {
    check(
        Convention::Blender,
        "
root
 hips
  spine
   chest
    neck
     head
    shoulder.L
     upper_arm.L
      forearm.L
       hand.L
        finger_index.01.L
        thumb.01.L
    shoulder.R
     upper_arm.R
      forearm.R
       hand.R
  thigh.L
   shin.L
    foot.L
     toe.L
  thigh.R
   shin.R
    foot.R
     toe.R
",
        "
hips hips
spine spine
chest chest
neck neck
leftShoulder shoulder.L
rightUpperArm upper_arm.R
leftIndexProximal finger_index.01.L
leftThumbMetacarpal thumb.01.L
leftLowerLeg shin.L
rightToes toe.R
",
    );
}

#[test]
fn retarget_map_of_makehuman() {
    check(
        Convention::MakeHuman,
        "
root
 spine05
  spine04
   spine03
    spine02
     spine01
      neck01
       neck02
        neck03
         head
          jaw
          eye.L
      clavicle.L
       shoulder01.L
        upperarm01.L
         upperarm02.L
          lowerarm01.L
           lowerarm02.L
            wrist.L
             finger1-1.L
              finger1-2.L
             metacarpal1.L
              finger2-1.L
      clavicle.R
       shoulder01.R
        upperarm01.R
         upperarm02.R
          lowerarm01.R
           lowerarm02.R
            wrist.R
 pelvis.L
  upperleg01.L
   upperleg02.L
    lowerleg01.L
     lowerleg02.L
      foot.L
       toe1-1.L
 pelvis.R
  upperleg01.R
   upperleg02.R
    lowerleg01.R
     lowerleg02.R
      foot.R
",
        "
hips root
spine spine05
upperChest spine01
neck neck01
head head
jaw jaw
leftEye eye.L
leftShoulder clavicle.L
leftUpperArm upperarm01.L
rightHand wrist.R
leftThumbProximal finger1-2.L
leftIndexProximal finger2-1.L
leftUpperLeg upperleg01.L
rightLowerLeg lowerleg01.R
leftToes toe1-1.L
",
    );
}

#[test]
fn retarget_map_of_quaternius_finds_the_hips_that_carry_the_legs() {
    // The older rig, in which “Hips” is the first joint of the spine and feet follow inverse kinematics.
    let old = "
Bone
 Foot.L@0.2 0 0
 Body@0 1 0
  Hips@0 0.05 0
   Abdomen
    Torso
     Neck
      Head
     Shoulder.L
      UpperArm.L
       LowerArm.L
        Palm2.L
         Middle1.L
          Middle2.L
        Thumb.L
         Thumb2.L
     Shoulder.R
      UpperArm.R
       LowerArm.R
        Palm2.R
  UpperLeg.L@0.2 0 0
   LowerLeg.L@0 -0.5 0
  UpperLeg.R@-0.2 0 0
   LowerLeg.R@0 -0.5 0
 Foot.R@-0.2 0 0
 PoleTarget.L
";
    let bones = "
hips Body
spine Hips
chest Abdomen
upperChest Torso
neck Neck
leftUpperArm UpperArm.L
rightHand Palm2.R
leftMiddleProximal Middle1.L
leftThumbMetacarpal Thumb.L
leftThumbProximal Thumb2.L
leftUpperLeg UpperLeg.L
leftFoot Foot.L
rightFoot Foot.R
";
    check(Convention::Quaternius, old, bones);
    check(
        Convention::Quaternius,
        "
Root
 Hips@0 1 0
  Abdomen
   Torso
    Neck
     Head
    Shoulder.L
     UpperArm.L
      LowerArm.L
       Wrist.L
        Index1.L
         Index2.L
    Shoulder.R
     UpperArm.R
      LowerArm.R
       Wrist.R
  UpperLeg.L
   LowerLeg.L
    Foot.L
     Toes.L
  UpperLeg.R
   LowerLeg.R
    Foot.R
",
        "
hips Hips
spine Abdomen
chest Torso
leftHand Wrist.L
leftIndexProximal Index1.L
leftToes Toes.L
",
    );
}

#[test]
fn retarget_map_of_kaykit() {
    check(
        Convention::KayKit,
        "
Rig
 root
  hips
   spine
    chest
     upperarm.l
      lowerarm.l
       wrist.l
        hand.l
         handslot.l
     upperarm.r
      lowerarm.r
       wrist.r
        hand.r
         handslot.r
     head
   upperleg.l
    lowerleg.l
     foot.l
      toes.l
   upperleg.r
    lowerleg.r
     foot.r
      toes.r
",
        "
hips hips
spine spine
chest chest
neck -
head head
leftUpperArm upperarm.l
rightHand wrist.r
leftLowerLeg lowerleg.l
rightToes toes.r
",
    );
}

#[test]
fn retarget_map_of_xsens() {
    check(
        Convention::Xsens,
        "
Hips
 Chest
  Chest2
   Chest3
    Chest4
     Neck
      Head
     RightCollar
      RightShoulder
       RightElbow
        RightWrist
     LeftCollar
      LeftShoulder
       LeftElbow
        LeftWrist
 RightHip
  RightKnee
   RightAnkle
    RightToe
 LeftHip
  LeftKnee
   LeftAnkle
    LeftToe
",
        "
hips Hips
spine Chest
chest Chest3
upperChest Chest4
neck Neck
leftShoulder LeftCollar
leftUpperArm LeftShoulder
leftLowerArm LeftElbow
rightHand RightWrist
rightUpperLeg RightHip
leftFoot LeftAnkle
rightToes RightToe
",
    );
    check(
        Convention::Xsens,
        "
Pelvis
 L5
  L3
   T12
    T8
     Neck
      Head
     RightShoulder
      RightUpperArm
       RightForearm
        RightHand
     LeftShoulder
      LeftUpperArm
       LeftForearm
        LeftHand
 RightUpperLeg
  RightLowerLeg
   RightFoot
    RightToe
 LeftUpperLeg
  LeftLowerLeg
   LeftFoot
    LeftToe
",
        "
hips Pelvis
spine L5
upperChest T8
leftShoulder LeftShoulder
leftUpperArm LeftUpperArm
rightLowerLeg RightLowerLeg
",
    );
}

#[test]
fn retarget_map_of_cmu() {
    check(
        Convention::Cmu,
        "
Hips
 LHipJoint@0 0 0
  LeftUpLeg
   LeftLeg
    LeftFoot
     LeftToeBase
 RHipJoint@0 0 0
  RightUpLeg
   RightLeg
    RightFoot
     RightToeBase
 LowerBack@0 0 0
  Spine
   Spine1
    Neck
     Neck1
      Head
    LeftShoulder
     LeftArm
      LeftForeArm
       LeftHand
        LeftFingerBase
         LeftHandIndex1
        LThumb
    RightShoulder
     RightArm
      RightForeArm
       RightHand
",
        "
hips Hips
spine LowerBack
chest Spine
upperChest Spine1
neck Neck
head Head
leftUpperArm LeftArm
leftIndexProximal LeftHandIndex1
rightUpperLeg RightUpLeg
leftToes LeftToeBase
",
    );
    check(
        Convention::Cmu,
        "
root
 lhipjoint
  lfemur
   ltibia
    lfoot
     ltoes
 rhipjoint
  rfemur
   rtibia
    rfoot
 lowerback
  upperback
   thorax
    lowerneck
     upperneck
      head
    lclavicle
     lhumerus
      lradius
       lwrist
        lhand
    rclavicle
     rhumerus
      rradius
       rwrist
",
        "
hips root
spine lowerback
upperChest thorax
neck lowerneck
leftShoulder lclavicle
leftUpperArm lhumerus
rightLowerArm rradius
leftHand lwrist
leftUpperLeg lfemur
rightLowerLeg rtibia
",
    );
}

#[test]
fn retarget_map_of_unity_vroid_and_common_names() {
    let unity = "
Hips
 Spine
  Chest
   UpperChest
    Neck
     Head
      Jaw
    LeftShoulder
     LeftUpperArm
      LeftLowerArm
       LeftHand
        Left Index Proximal
    RightShoulder
     RightUpperArm
      RightLowerArm
       RightHand
 LeftUpperLeg
  LeftLowerLeg
   LeftFoot
    LeftToes
 RightUpperLeg
  RightLowerLeg
   RightFoot
";
    let bones = "
hips Hips
upperChest UpperChest
jaw Jaw
leftUpperArm LeftUpperArm
leftIndexProximal Left Index Proximal
rightFoot RightFoot
";
    check(Convention::Unity, unity, bones);
    let vroid = unity
        .replace("Left Index Proximal", "J_Bip_L_Index1")
        .replace("Toes", "ToeBase")
        .replace("Left", "J_Bip_L_")
        .replace("Right", "J_Bip_R_")
        .replace("Hips", "J_Bip_C_Hips")
        .replace("Neck", "J_Bip_C_Neck")
        .replace("Head", "J_Bip_C_Head");
    check(
        Convention::Vroid,
        &vroid,
        "
hips J_Bip_C_Hips
leftToes J_Bip_L_ToeBase
rightUpperLeg J_Bip_R_UpperLeg
leftIndexProximal J_Bip_L_Index1
",
    );
    check(
        Convention::Common,
        &unity.replace("LeftUpperLeg", "thigh_left").replace("RightUpperLeg", "thigh_right"),
        "leftUpperLeg thigh_left\nrightLowerLeg RightLowerLeg",
    );
}

/// A body whose names say nothing, or only the side.
fn nameless(mut model: Model, side: impl Fn(usize, &str) -> String) -> Model {
    for (i, node) in model.nodes.iter_mut().enumerate() {
        node.name = side(i, &node.name);
    }
    model
}

#[test]
fn retarget_map_by_structure_finds_bodies_without_names() {
    for (label, spec) in [("mixamo", mixamo()), ("unreal", unreal()), ("biped", biped())] {
        let body = body(label, &spec);
        let bones = |map: &HumanoidMap| -> Vec<(HumanBone, NodeId)> { map.bones().collect() };
        let named = HumanoidMap::find(&body.model).expect("a humanoid");
        let model = nameless(body.model.clone(), |i, _| format!("node{i}"));
        let map = HumanoidMap::find(&model).unwrap_or_else(|| panic!("{label} has the shape of a body"));
        assert_eq!(map.convention, Convention::Structure);
        for (bone, node) in bones(&map) {
            assert_eq!(Some(node), named.node(bone), "{label} {bone}");
        }
        let found = map.bones().count();
        assert!(map.is_complete() && found >= 20, "{label} {found}");
        assert_eq!(map.spine(), named.spine());
        assert!(map.ambiguous.is_empty(), "the toes tell where left is");
    }
}

#[test]
fn retarget_map_by_structure_asks_for_an_upright_body() {
    assert!(HumanoidMap::find(&Model::default()).is_none());
    let files = ["gltf/CesiumMan.glb", "gltf/Fox.glb", "gltf/RiggedSimple.glb", "gltf/greenman.glb"];
    for (label, model) in models(&files) {
        let map = HumanoidMap::find(&model).map(|map| map.convention);
        let want = match &label[..] {
            "sample" => Some(Convention::Blender),
            "gltf/CesiumMan.glb" => Some(Convention::Structure),
            // A quadruped, a tube, and a body with legs of one joint.
            _ => None,
        };
        assert_eq!(map, want, "{label}");
    }
}

#[test]
fn retarget_map_prefers_joints_and_names_what_is_ambiguous() {
    let mut model = tree(MIXAMO);
    let last = model.nodes.len();
    for (name, parent) in [("mixamorig:Head", 0), ("mixamorig:LeftArm", 0)] {
        let parent = Some(NodeId::new(parent));
        model.nodes.push(Node {
            name: name.to_owned(),
            source: model.nodes.len() as u32,
            parent,
            ..Node::default()
        });
    }
    let map = HumanoidMap::find(&model).expect("a humanoid");
    assert_eq!(map.ambiguous, [HumanBone::Head, HumanBone::LeftUpperArm]);
    assert!(map.node(HumanBone::Head).is_some_and(|node| node.index() < last), "the first of the file");
    let joints = (0..last).map(NodeId::new).collect();
    model.skins.push(Skin { joints, ..Skin::default() });
    let map = HumanoidMap::find(&model).expect("a humanoid");
    assert!(map.ambiguous.is_empty(), "others are no joints");
}

#[test]
fn retarget_map_by_hand_overrides_any_part() {
    let model = tree(MIXAMO);
    let of = |given: &[(&str, Option<&str>)]| {
        let given: Vec<(String, Option<String>)> =
            given.iter().map(|(bone, node)| ((*bone).to_owned(), node.map(str::to_owned))).collect();
        HumanoidMap::find_with(&model, &given)
    };
    let name = |map: &HumanoidMap, bone: &str| {
        map.node(HumanBone::from_name(bone).expect("a bone"))
            .map(|node| model.nodes[node.index()].name.clone())
    };
    let map = of(&[("neck", None), ("head", Some("Neck")), ("leftFoot", Some("lefttoebase"))]);
    let map = map.expect("all names are known").expect("a humanoid");
    assert_eq!(name(&map, "neck"), None);
    assert_eq!(name(&map, "head").as_deref(), Some("mixamorig:Neck"));
    assert_eq!(name(&map, "leftFoot").as_deref(), Some("mixamorig:LeftToeBase"));
    assert_eq!(name(&map, "leftToes"), None, "a node is one bone");
    let error = of(&[("leftfoot", Some("LeftFoot"))]).expect_err("no bone");
    assert_eq!(error.code(), "argument/invalid");
    let error = of(&[("leftFoot", Some("LeftFeet"))]).expect_err("no node");
    assert_eq!(error.code(), "joint/not-found");
    assert!(error.to_string().contains("did you mean “mixamorig:LeftFoot”?"), "{error}");
    // A model that is no humanoid by itself.
    let bones = tree("a\n b\n  c");
    let given = vec![("hips".to_owned(), Some("a".to_owned())), ("spine".to_owned(), Some("b".to_owned()))];
    let map = HumanoidMap::find_with(&bones, &given).expect("known").expect("given");
    assert_eq!((map.convention, map.bones().count(), map.is_complete()), (Convention::Given, 2, false));
}
