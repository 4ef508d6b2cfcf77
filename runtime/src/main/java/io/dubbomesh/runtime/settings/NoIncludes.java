package io.dubbomesh.runtime.settings;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;

import java.io.File;
import java.net.URL;

/** Refuses includes of each kind in a file that is watched: changes of other files would go unnoticed. */
public final class NoIncludes
        implements ConfigIncluder, ConfigIncluderClasspath, ConfigIncluderFile, ConfigIncluderURL {
    public static final NoIncludes INSTANCE = new NoIncludes();

    private NoIncludes() {}

    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
        return this;
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
        throw refusal();
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
        throw refusal();
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
        throw refusal();
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
        throw refusal();
    }

    private static ConfigException refusal() {
        return new ConfigException.Generic("include is not supported");
    }
}
