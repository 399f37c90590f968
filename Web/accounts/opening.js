// Everything that opens keys, together: pages fetch it when a person is about to use them (keys.js).

export { isSupported } from "./passkeys.js";
export { prompt } from "./prompt.js";
export { ceremony, confirmWithPasskey, methodsOf, secretOfPasskey, unlock } from "./unlock.js";
