/** OpenAPI documents of services: what is asked for, what the services' agents tell, and the document made of it. */
package io.dubbomesh.consumer.openapi;
