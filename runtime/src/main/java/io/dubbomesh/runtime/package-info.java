/** What every module stands on: small values and texts; below it settings, the log, the admin server and the process. */
package io.dubbomesh.runtime;
