const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID of any version, in the form of RFC 9562, section 4. */
export const isUuid = (text: string): boolean => uuid.test(text);
