/**
 * Documents of the agents' admin interface and of the front, as far as the commands read them: mirrors of the
 * records that the agents write. {@link io.dubbomesh.runtime.json.Json#toRecord} reads them, and says what a missing
 * member is.
 */
package io.dubbomesh.meshctl.document;
