"""Checks USDZ files by OpenUSD: its validators, and the skinned points against those of gambol.

The folder of the only argument has files NAME.usdz; NAME.json with the times in seconds, the size of the model and the number of
points of each mesh; and NAME.f32 with the points: for each time, those of all meshes. Prints a line for each fault.
"""

import json
import pathlib
import sys

import numpy
from pxr import Gf, Tf, Usd, UsdGeom, UsdShade, UsdSkel, UsdUtils, Vt

TOLERANCE = 1e-3


def main(folder):
    faults = 0
    checked = 0
    for path in sorted(pathlib.Path(folder).glob("*.usdz")):
        found = list(rules(str(path)))
        expected = path.with_suffix(".json")
        if not found and expected.exists():
            worst, found = points(path, json.loads(expected.read_text()))
            print(f"{path.stem}: {worst:.1e} of the size")
        checked += 1
        for fault in found:
            faults += 1
            print(f"FAULT {path.stem}: {fault}")
    print(f"{checked} files, {faults} faults")


def rules(path):
    """The faults that OpenUSD finds by itself."""
    delegate = UsdUtils.CoalescingDiagnosticDelegate()
    try:
        stage = Usd.Stage.Open(path)
    except Tf.ErrorException as error:
        yield f"it does not open: {error}"
        return
    yield from (f"on opening: {one.commentary}" for one in delegate.TakeUncoalescedDiagnostics())
    if not stage.GetDefaultPrim():
        yield "it has no default prim"
    if UsdGeom.GetStageUpAxis(stage) != UsdGeom.Tokens.y or UsdGeom.GetStageMetersPerUnit(stage) != 1:
        yield "up is not Y, or a unit is not a metre"
    if hasattr(UsdUtils, "ComplianceChecker"):
        checker = UsdUtils.ComplianceChecker(arkit=True)
        checker.CheckCompliance(path)
        yield from checker.GetErrors()
        yield from checker.GetFailedChecks()
    else:
        from pxr import UsdValidation

        registry = UsdValidation.ValidationRegistry()
        context = UsdValidation.ValidationContext(registry.GetOrLoadAllValidators())
        for error in context.Validate(stage):
            # Quick Look reads the scale of a normal map; the warning is about other readers.
            if error.GetType() == UsdValidation.ValidationErrorType.Warn and "normal" in error.GetMessage().lower():
                continue
            yield f"{error.GetName()}: {error.GetMessage()}"
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
            if not material or not material.ComputeSurfaceSource()[0]:
                yield f"{prim.GetPath()} has no material with a surface"
        if prim.IsA(UsdShade.Shader):
            for one in UsdShade.Shader(prim).GetInputs():
                for source in one.GetAttr().GetConnections():
                    if not stage.GetPropertyAtPath(source):
                        yield f"{one.GetAttr().GetPath()} is connected to {source}, which is not there"


def points(path, expected):
    """The largest distance of a point from its place, relative to the size; and the faults."""
    stage = Usd.Stage.Open(str(path))
    all_numbers = numpy.fromfile(path.with_suffix(".f32"), dtype="<f4").astype("f8").reshape(-1, 3)
    per_time = sum(expected["meshes"])
    every = Usd.PrimRange.Stage(stage, Usd.TraverseInstanceProxies())
    meshes = [prim for prim in every if prim.IsA(UsdGeom.Mesh)]
    counts = [len(UsdGeom.Mesh(prim).GetPointsAttr().Get()) for prim in meshes]
    if sorted(counts) != sorted(expected["meshes"]):
        return 0, [f"the meshes have {counts} points, not {expected['meshes']}"]
    skinned = bindings(stage)
    worst = 0.0
    order = None
    ends = numpy.cumsum([0, *expected["meshes"]])
    for i, seconds in enumerate(expected["times"]):
        code = Usd.TimeCode(seconds * stage.GetTimeCodesPerSecond())
        cache = UsdGeom.XformCache(code)
        got = [placed(prim, skinned, code, cache) for prim in meshes]
        all_want = all_numbers[i * per_time : (i + 1) * per_time]
        want = [all_want[begin:end] for begin, end in zip(ends, ends[1:])]
        order = order or pairs(got, want)
        for prim, own, wanted in zip(meshes, got, [want[index] for index in order]):
            off = float(numpy.linalg.norm(own - wanted, axis=1).max(initial=0) / expected["size"])
            worst = max(worst, off)
            if not off <= TOLERANCE:
                at = int(numpy.linalg.norm(own - wanted, axis=1).argmax())
                place = f"point {at} of {prim.GetPath()} at {seconds:.3f} s"
                return worst, [f"{place} is at {own[at].tolist()}, not {wanted[at].tolist()}: {off:.1e} of the size away"]
    return worst, []


def pairs(got, want):
    """For each mesh, the index of the primitive whose points are nearest, each once."""
    left = list(range(len(want)))
    order = []
    for own in got:
        fitting = [index for index in left if len(want[index]) == len(own)]
        order.append(min(fitting, key=lambda index: numpy.abs(want[index] - own).max(initial=0)))
        left.remove(order[-1])
    return order


def bindings(stage):
    """The queries for each skinned mesh."""
    found = {}
    for root in stage.Traverse():
        if not root.IsA(UsdSkel.Root):
            continue
        cache = UsdSkel.Cache()
        cache.Populate(UsdSkel.Root(root), Usd.PrimDefaultPredicate)
        for binding in cache.ComputeSkelBindings(UsdSkel.Root(root), Usd.PrimDefaultPredicate):
            skeleton = cache.GetSkelQuery(binding.GetSkeleton())
            for target in binding.GetSkinningTargets():
                found[target.GetPrim().GetPath()] = (skeleton, target, cache)
    return found


def placed(prim, skinned, code, cache):
    """The points of a mesh in the world."""
    own = UsdGeom.Mesh(prim).GetPointsAttr().Get(code)
    if prim.GetPath() not in skinned:
        if prim.HasAPI(UsdSkel.BindingAPI):
            raise ValueError(f"{prim.GetPath()} is not bound")
        return moved(numpy.array(own, dtype="f8"), cache.GetLocalToWorldTransform(prim))
    skeleton, target, _ = skinned[prim.GetPath()]
    array = Vt.Vec3fArray.FromNumpy(shaped(prim, skeleton, numpy.array(own, dtype="f4"), code))
    matrices = skeleton.ComputeSkinningTransforms(code)
    if not target.ComputeSkinnedPoints(matrices, array, code):
        raise ValueError(f"{prim.GetPath()} cannot be skinned")
    return moved(numpy.array(array, dtype="f8"), cache.GetLocalToWorldTransform(skeleton.GetPrim()))


def shaped(prim, skeleton, array, code):
    """The points with the offsets of the blend shapes."""
    binding = UsdSkel.BindingAPI(prim)
    names = binding.GetBlendShapesAttr().Get() or []
    animation = skeleton.GetAnimQuery()
    weights = dict(zip(animation.GetBlendShapeOrder(), animation.ComputeBlendShapeWeights(code))) if names else {}
    for name, path in zip(names, binding.GetBlendShapeTargetsRel().GetTargets()):
        shape = UsdSkel.BlendShape(prim.GetStage().GetPrimAtPath(path))
        indices = numpy.array(shape.GetPointIndicesAttr().Get(), dtype="i8")
        array[indices] += numpy.float32(weights[name]) * numpy.array(shape.GetOffsetsAttr().Get(), dtype="f4")
    return array


def moved(array, matrix):
    matrix = numpy.array(Gf.Matrix4d(matrix))
    return array @ matrix[:3, :3] + matrix[3, :3]


if __name__ == "__main__":
    main(sys.argv[1])
