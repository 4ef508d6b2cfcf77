/** The reading of the metadata of Dubbo's services and applications. */
package io.dubbomesh.registry.metadata;
