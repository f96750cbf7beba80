// Who may come in: codes with their pictures, and the passes that were given.

import { Inviting, type Listing } from "../inviting";
import { say } from "../say";
import type { Panel } from "./panel";

export const invitations: Panel<Listing> = {
  name: "invitations",
  title: say.invitations,
  source: { path: "/doors.json", everyMs: 5_000 },
  actions: [],
  draw(place, desk) {
    const inviting = new Inviting(place, () => desk.again(), (answer) => desk.tell(answer));
    return ({ passes }) => inviting.show(passes);
  },
};
