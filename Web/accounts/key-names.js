// What the names of a device's keys begin with, by what they are for.

/** Keys that answer services. */
export const ofService = "approval ";

/** Keys that sign in elsewhere: the only ones that may leave a browser, in a backup. */
export const ofPico = "pico ";
