// A room of its own, so that the build can keep the parser out of what every post loads.
export { fromMarkdown } from 'mdast-util-from-markdown';
