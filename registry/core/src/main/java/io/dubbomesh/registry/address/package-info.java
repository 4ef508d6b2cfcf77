/** How registries and agents are reached: addresses that others can reach, and the files of users and certificates. */
package io.dubbomesh.registry.address;
