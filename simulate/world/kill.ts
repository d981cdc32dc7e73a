import { endWorker, killPage, type Device, type Page } from '../device/device.ts';
import type { StepContext } from './step.ts';

/** Kills now, or as soon as the database it is opening is open. */
export function kill({ world }: Pick<StepContext, 'world'>, page: Page): void {
  if (page.proc.state === 'dead' || killPage(page)) return;
  world.loop.after(3, () => kill({ world }, page));
}

export function killAll(context: Pick<StepContext, 'world' | 'device'>): void {
  for (const page of Array.from(context.device.pages)) kill(context, page);
  for (const worker of Array.from(context.device.workers)) endWorker(context.device, worker);
}

/** Once no program runs on the device: what happens to its disk, and then the app is opened again. */
export function toTheDisk(context: StepContext, act: () => void): void {
  const { world, device } = context;
  killAll(context);
  const tryIt = () => {
    if (device.pages.length + device.workers.length > 0) return void world.loop.after(3, tryIt);
    act();
    world.loop.after(200, () => device.pages.length === 0 && world.openPage(device));
  };
  tryIt();
}

/** A tab whose disk answers no more is closed; the worker is ended by the browser. */
export function closeHung(world: StepContext['world'], device: Device): void {
  for (const page of Array.from(device.pages)) if (device.disk.isHung(page.proc)) kill({ world }, page);
  for (const worker of Array.from(device.workers)) if (device.disk.isHung(worker)) endWorker(device, worker);
  world.loop.after(200, () => device.pages.length === 0 && world.openPage(device));
}
