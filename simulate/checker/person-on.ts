import { deviceDbName, nameOn, type Device } from '../device/device.ts';

/** Who this device belongs to, as its disk has it. */
export function personOn(device: Device): string | undefined {
  const entries = device.disk.read(nameOn(device, deviceDbName), 'entries') as readonly {
    key: string;
    value: unknown;
  }[];
  return (entries.find(({ key }) => key === 'person')?.value as { userId: string } | undefined)?.userId;
}
