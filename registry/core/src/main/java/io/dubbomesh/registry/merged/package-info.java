/** Several registries as one, and providers that are registered beside their agents. */
package io.dubbomesh.registry.merged;
