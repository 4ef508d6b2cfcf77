/** Where the metadata of Dubbo's services and applications is looked for. */
package io.dubbomesh.registry.metadata;
