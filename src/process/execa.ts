/** The package that starts processes, in a file of its own: a hundred files of it become one when the tool is built. */
export { execa } from 'execa';
