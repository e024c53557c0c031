// PlayCanvas: copies by ContainerResource.instantiateRenderEntity, with an anim component each, in an AppBase with only
// the necessary systems.

import * as pc from 'playcanvas';
import { SIZE, STEP, camera, canvas, contextOf, phase, places, type Player, type Scene } from './player.ts';

export async function playcanvas(scene: Scene): Promise<Player> {
  const made = canvas();
  const device = await pc.createGraphicsDevice(made, { deviceTypes: [pc.DEVICETYPE_WEBGL2], antialias: true });
  device.maxPixelRatio = 1;
  const options = new pc.AppOptions();
  options.graphicsDevice = device;
  options.componentSystems = [pc.RenderComponentSystem, pc.CameraComponentSystem, pc.AnimComponentSystem];
  options.resourceHandlers = [pc.TextureHandler, pc.ContainerHandler];
  const app = new pc.AppBase(made);
  app.init(options);
  app.setCanvasFillMode(pc.FILLMODE_NONE, SIZE, SIZE);
  app.setCanvasResolution(pc.RESOLUTION_FIXED, SIZE, SIZE);
  // The application starts, but the benchmark triggers its frames.
  const request = window.requestAnimationFrame;
  window.requestAnimationFrame = () => 0;
  app.start();
  window.requestAnimationFrame = request;

  const asset = new pc.Asset('character', 'container', {
    url: URL.createObjectURL(new Blob([scene.file])),
    filename: 'character.glb',
  });
  await new Promise<void>((resolve, reject) => {
    asset.once('load', () => resolve());
    asset.once('error', (error: unknown) => reject(new Error(String(error))));
    app.assets.add(asset);
    app.assets.load(asset);
  });
  const track = asset.resource.animations[0].resource;
  const skins: { skin: any; node: any }[] = [];
  places(scene).forEach((place, i) => {
    const copy = asset.resource.instantiateRenderEntity();
    copy.setLocalPosition(...place);
    app.root.addChild(copy);
    copy.addComponent('anim', { activate: true });
    copy.anim.assignAnimation('Move', track);
    copy.anim.baseLayer.activeStateCurrentTime = phase(i, track.duration);
    for (const { meshInstances } of copy.findComponents('render')) {
      for (const instance of meshInstances) {
        instance.cull = false;
        if (instance.skinInstance) skins.push({ skin: instance.skinInstance, node: instance.node });
      }
    }
  });
  const eye = new pc.Entity('camera');
  const { position, target, fovY, near, far } = camera(scene);
  eye.addComponent('camera', {
    fov: (fovY * 180) / Math.PI,
    nearClip: near,
    farClip: far,
    clearColor: new pc.Color(0, 0, 0, 0),
  });
  eye.setPosition(...position);
  eye.lookAt(...target);
  app.root.addChild(eye);
  let updates = -1;
  return {
    gl: contextOf(made),
    // The part of `render` before drawing: systems, world matrices, and the matrices of each skin.
    update() {
      app.update(STEP);
      app.root.syncHierarchy();
      // Negative numbers, which the frames' own counter never has.
      updates -= 1;
      for (const { skin, node } of skins) skin.updateMatrices(node, updates);
    },
    frame() {
      app.update(STEP);
      app.render();
    },
  };
}
