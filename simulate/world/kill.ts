import { killTab, type Tab } from '../device/device.ts';
import type { Scene } from './step.ts';

/** Kills, or as soon as the database it is opening is open. */
export function kill({ world }: Scene, tab: Tab): void {
  if (tab.life.state === 'dead' || killTab(tab)) return;
  world.loop.after(3, () => kill({ world } as Scene, tab));
}

export function killAll(scene: Scene): void {
  for (const tab of Array.from(scene.device.tabs)) kill(scene, tab);
}

/** Once no program runs on the device: what happens to its disk, and then the app is opened again. */
export function toTheDisk(scene: Scene, act: () => void): void {
  const { world, device } = scene;
  killAll(scene);
  const tryIt = () => {
    if (device.tabs.length > 0) return void world.loop.after(3, tryIt);
    act();
    world.loop.after(200, () => device.tabs.length === 0 && world.openTab(device));
  };
  tryIt();
}
