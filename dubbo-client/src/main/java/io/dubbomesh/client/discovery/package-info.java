/**
 * Discovery of the served services, their methods and their types: from class files, and by asking the provider. Uses
 * no package of the module but that of definitions. On an event loop only look-ups in its immutable results run.
 */
package io.dubbomesh.client.discovery;
