/** Clients of agents: of the admin port and of the front, and what is wrong where no agent answers. */
package io.dubbomesh.meshctl.agent;
