// Where the protocol's own library is, for programs that a test writes.

/** Its address, to be imported from anywhere. */
export const ACP_LIBRARY = import.meta.resolve('@agentclientprotocol/sdk/unstable')
