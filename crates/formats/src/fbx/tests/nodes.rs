//! Transforms of nodes: units, axes, pivots, orders of rotation, inheritance of scale.

use super::*;

const TRIANGLE: &[[f64; 3]] = &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]];

fn translation(v: [f64; 3]) -> DMat4 {
    DMat4::from_translation(DVec3::from(v))
}

#[test]
fn fbx_units_become_metres_without_a_scaled_root() {
    for (factor, metres) in [(1.0, 0.01), (100.0, 1.0), (2.54, 0.0254)] {
        let mut document = Document::default().setting("UnitScaleFactor", "double", factor);
        let hips = document.model("Hips", "LimbNode", &[("Lcl Translation", &[0.0, 90.0, 0.0])], 0);
        document.model("Spine", "LimbNode", &[("Lcl Translation", &[0.0, 10.0, 5.0])], hips);
        let scene = read(&document);
        assert_matrix(world(&scene, "Spine"), translation([0.0, 100.0 * metres, 5.0 * metres]));
        assert_eq!(scene.nodes[1].scale, [1.0; 3]);
        assert_eq!(scene.nodes[0].parent, None, "FBX's root is left out");
    }
}

#[test]
fn fbx_unit_of_the_caller_replaces_that_of_the_file() {
    let mut document = Document::default();
    document.model("A", "Null", &[("Lcl Translation", &[3.0, 0.0, 0.0])], 0);
    for metres in [0.5, 2.0] {
        let bytes = text(&document.elements());
        let options = Options { metres_per_unit: Some(metres), ..Options::default() };
        let scene = super::super::read(&bytes, &Conversion::new(&options, "a.fbx", bytes.len()))
            .expect("a valid file");
        assert_eq!(scene.nodes[0].translation, [3.0 * metres, 0.0, 0.0]);
    }
}

#[test]
fn fbx_axes_become_those_of_gltf() {
    // Right, up, and the axis towards the viewer, each as a number of the axis and a sign.
    let axes = |up: (f64, f64), front: (f64, f64), coord: (f64, f64)| {
        Document::metres()
            .setting("UpAxis", "int", up.0)
            .setting("UpAxisSign", "int", up.1)
            .setting("FrontAxis", "int", front.0)
            .setting("FrontAxisSign", "int", front.1)
            .setting("CoordAxis", "int", coord.0)
            .setting("CoordAxisSign", "int", coord.1)
    };
    for (name, mut document, point) in [
        ("Y up", axes((1.0, 1.0), (2.0, 1.0), (0.0, 1.0)), [1.0, 2.0, 3.0]),
        ("Z up", axes((2.0, 1.0), (1.0, -1.0), (0.0, 1.0)), [1.0, 3.0, -2.0]),
        ("X up", axes((0.0, 1.0), (2.0, 1.0), (1.0, -1.0)), [-2.0, 1.0, 3.0]),
        ("left-handed", axes((1.0, 1.0), (2.0, -1.0), (0.0, 1.0)), [1.0, 2.0, -3.0]),
    ] {
        let model = document.model("A", "Mesh", &[], 0);
        document.mesh(&[[1.0, 2.0, 3.0], [2.0, 2.0, 3.0], [1.0, 2.0, 5.0]], &[&[0, 1, 2]], vec![], model);
        let scene = read(&document);
        let vertex = scene.meshes[0].primitives[0].positions[0].map(f64::from);
        let at = world(&scene, "A").transform_point3(DVec3::from(vertex));
        assert!(near(&at.to_array(), &point, 1e-6), "{name}: {at}");
    }
}

#[test]
fn fbx_left_handed_meshes_keep_their_outside() {
    let mut document = Document::metres().setting("UpAxis", "int", 1.0).setting("UpAxisSign", "int", 1.0);
    document = document.setting("FrontAxis", "int", 2.0).setting("FrontAxisSign", "int", -1.0);
    document = document.setting("CoordAxis", "int", 0.0).setting("CoordAxisSign", "int", 1.0);
    let model = document.model("A", "Mesh", &[], 0);
    document.mesh(TRIANGLE, &[&[0, 1, 2]], vec![], model);
    let scene = read(&document);
    let primitive = &scene.meshes[0].primitives[0];
    let corner = |i: usize| {
        let vertex = primitive.positions[primitive.indices[i] as usize].map(f64::from);
        world(&scene, "A").transform_point3(DVec3::from(vertex))
    };
    // Left-handed, these corners are clockwise as seen from −Z, which becomes +Z.
    let normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    let [x, y, z] = primitive.normals[0].map(f64::from);
    let outside = world(&scene, "A").transform_vector3(DVec3::new(x, y, z));
    assert!(normal.dot(outside) > 0.0);
}

#[test]
fn fbx_pivots_and_rotations_make_one_transform() {
    let t = [1.0, 2.0, 3.0];
    let (r, pre, post) = ([30.0, 40.0, 50.0], [10.0, -20.0, 70.0], [-15.0, 25.0, 35.0]);
    let (rotation_pivot, rotation_offset) = ([0.5, 0.0, -1.0], [0.0, 0.25, 0.0]);
    let (scaling_pivot, scaling_offset) = ([-0.5, 1.0, 0.0], [0.0, 0.0, 0.75]);
    let s = [1.0, 2.0, 3.0];
    for order in 0..6 {
        let mut document = Document::metres();
        document.model(
            "A",
            "Null",
            &[
                ("RotationActive", &[1.0]),
                ("RotationOrder", &[order as f64]),
                ("Lcl Translation", &t),
                ("Lcl Rotation", &r),
                ("Lcl Scaling", &s),
                ("PreRotation", &pre),
                ("PostRotation", &post),
                ("RotationPivot", &rotation_pivot),
                ("RotationOffset", &rotation_offset),
                ("ScalingPivot", &scaling_pivot),
                ("ScalingOffset", &scaling_offset),
            ],
            0,
        );
        let scene = read(&document);
        // The documentation of the FBX SDK: T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹.
        let rotation = euler(pre, 0) * euler(r, order) * euler(post, 0).inverse();
        let minus = |v: [f64; 3]| translation(v.map(|x| -x));
        let expected = translation(t)
            * translation(rotation_offset)
            * translation(rotation_pivot)
            * DMat4::from_quat(rotation)
            * minus(rotation_pivot)
            * translation(scaling_offset)
            * translation(scaling_pivot)
            * DMat4::from_scale(DVec3::from(s))
            * minus(scaling_pivot);
        assert_matrix(world(&scene, "A"), expected);
        assert_eq!(scene.nodes.len(), 1);
    }
}

#[test]
fn fbx_scale_is_inherited_by_its_type() {
    let (scale, r) = ([2.0, 2.0, 2.0], [0.0, 0.0, 90.0]);
    for (kind, parent_scale, expected) in [
        // The child's scale by the formulas of the FBX SDK: RSrs, RrSs and Rrs.
        (1.0, scale, [2.0, 2.0, 2.0]),
        (0.0, scale, [2.0, 2.0, 2.0]),
        (2.0, scale, [1.0, 1.0, 1.0]),
        (2.0, [2.0, 3.0, 4.0], [1.0, 1.0, 1.0]),
        (0.0, [2.0, 3.0, 4.0], [2.0, 3.0, 4.0]),
    ] {
        let mut document = Document::metres();
        let parent = document.model("A", "Null", &[("Lcl Scaling", &parent_scale)], 0);
        let child =
            [("InheritType", &[kind][..]), ("Lcl Translation", &[1.0, 0.0, 0.0]), ("Lcl Rotation", &r)];
        document.model("B", "Null", &child, parent);
        let scene = read(&document);
        let rotation = DMat4::from_quat(euler(r, 0));
        // Scale of the parent always moves the child's origin. With RrSs it acts along the child's own axes.
        let expected =
            translation([parent_scale[0], 0.0, 0.0]) * rotation * DMat4::from_scale(DVec3::from(expected));
        let node = if scene.nodes.iter().any(|node| node.name == "B scale") { "B scale" } else { "B" };
        assert_matrix(world(&scene, node), expected);
    }
}

#[test]
fn fbx_geometric_transforms_move_only_the_mesh() {
    let mut document = Document::metres();
    let geometric = [
        ("Lcl Translation", &[0.0, 0.0, 5.0][..]),
        ("GeometricTranslation", &[1.0, 0.0, 0.0]),
        ("GeometricRotation", &[0.0, 0.0, 90.0]),
        ("GeometricScaling", &[2.0, 1.0, 1.0]),
    ];
    let model = document.model("A", "Mesh", &geometric, 0);
    document.mesh(TRIANGLE, &[&[0, 1, 2]], vec![], model);
    document.model("B", "Null", &[("Lcl Translation", &[0.0, 1.0, 0.0])], model);
    let scene = read(&document);
    assert_matrix(world(&scene, "B"), translation([0.0, 1.0, 5.0]));
    let (node, _) = scene.nodes.iter().enumerate().find(|(_, node)| node.mesh.is_some()).expect("a mesh");
    let matrix = world(&scene, &scene.nodes[node].name);
    let corners: Vec<_> = scene.meshes[0].primitives[0]
        .positions
        .iter()
        .map(|v| matrix.transform_point3(DVec3::from(v.map(f64::from))).to_array())
        .collect();
    for (corner, expected) in corners.iter().zip([[1.0, 0.0, 5.0], [1.0, 2.0, 5.0], [-1.0, 0.0, 5.0]]) {
        assert_near(corner, &expected, 1e-6);
    }
}

#[test]
fn fbx_instances_share_a_mesh() {
    let mut document = Document::metres();
    let first = document.model("A", "Mesh", &[], 0);
    let mesh = document.mesh(TRIANGLE, &[&[0, 1, 2]], vec![], first);
    let second = document.model("B", "Mesh", &[("Lcl Translation", &[1.0, 0.0, 0.0])], 0);
    document.connect(mesh, second);
    let scene = read(&document);
    assert_eq!(scene.meshes.len(), 1);
    assert_eq!(scene.nodes.iter().map(|node| node.mesh).collect::<Vec<_>>(), [Some(0), Some(0)]);
}

#[test]
fn fbx_hidden_meshes_and_lower_levels_of_detail_are_left_out() {
    let mut document = Document::metres();
    let hidden = document.model("Hidden", "Mesh", &[("Visibility", &[0.0])], 0);
    document.mesh(TRIANGLE, &[&[0, 1, 2]], vec![], hidden);
    let group = document.model("Group", "LodGroup", &[], 0);
    document.object("NodeAttribute", "", "NodeAttribute", "LodGroup", vec![], group);
    for level in ["High", "Low"] {
        let model = document.model(level, "Mesh", &[], group);
        document.mesh(TRIANGLE, &[&[0, 1, 2]], vec![], model);
    }
    let (scene, warnings) = read_with_warnings(&document);
    let drawn: Vec<_> =
        scene.nodes.iter().filter(|node| node.mesh.is_some()).map(|node| node.name.as_str()).collect();
    assert_eq!(drawn, ["High"]);
    let messages: Vec<_> = warnings.iter().map(|warning| (warning.code, warning.message.as_str())).collect();
    assert_eq!(messages, [("fbx/skipped", "Meshes of hidden nodes are left out (2 times)")]);
}

#[test]
fn fbx_names_are_kept() {
    let mut document = Document::metres();
    document.model("mixamorig:Hips", "LimbNode", &[], 0);
    document.model("Größe", "LimbNode", &[], 0);
    let scene = read(&document);
    assert_eq!(
        scene.nodes.iter().map(|node| node.name.as_str()).collect::<Vec<_>>(),
        ["mixamorig:Hips", "Größe"]
    );
}

#[test]
fn fbx_lights_and_cameras_become_plain_nodes() {
    let mut document = Document::metres();
    for kind in ["Light", "Camera"] {
        let model = document.model(kind, kind, &[], 0);
        document.object("NodeAttribute", "", "NodeAttribute", kind, vec![], model);
    }
    let (scene, warnings) = read_with_warnings(&document);
    assert_eq!(scene.nodes.len(), 2);
    let messages: Vec<_> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["The lights are left out (1 times)", "The cameras are left out (1 times)"]);
}
