/** Addresses of registries and agents that others can reach, and the files of users and certificates. */
package io.dubbomesh.registry.address;
