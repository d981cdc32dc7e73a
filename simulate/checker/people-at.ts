import type { Device } from '../device/device.ts';

/** The person each device belongs to: more than one while a person is just signing in. */
export function createPeopleAt() {
  const people = new Map<Device, Set<string>>();
  const coming = new Map<Device, string[]>();
  return {
    of: (device: Device): ReadonlySet<string> => people.get(device) ?? new Set(),
    begin: (device: Device, userId: string) => void people.set(device, new Set([userId])),
    add: (device: Device, userId: string) => void people.get(device)?.add(userId),
    comes: (device: Device, userId: string) => {
      people.get(device)?.add(userId);
      coming.set(device, [...(coming.get(device) ?? []), userId]);
    },
    came: (device: Device, userId: string) => {
      const others = (coming.get(device) ?? []).filter((one) => one !== userId);
      coming.set(device, others);
      people.set(device, new Set([userId, ...others]));
    },
  };
}
