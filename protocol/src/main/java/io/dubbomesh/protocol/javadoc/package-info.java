/** What people have written about services and their classes: the Javadoc of sources, and texts of operators. */
package io.dubbomesh.protocol.javadoc;
