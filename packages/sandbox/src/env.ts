// The only reader of this package's environment: where the owner's key may be, and where programs are.
export const env = {
  path: process.env.PATH ?? '',
  configHome: process.env.TREADLE_CONFIG_HOME,
  keyFile: process.env.TREADLE_OWNER_KEY_FILE,
  sshAgent: process.env.SSH_AUTH_SOCK,
  xdgConfigHome: process.env.XDG_CONFIG_HOME,
}
