declare const DEBATE_VERSION: string;

/** The version of this tool, put in by the build. */
export const version: string = DEBATE_VERSION;
