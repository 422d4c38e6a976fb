+ withy 0.1.0 ./withy
MAYA_PLUG_IN_PATH +:= plug-ins
MAYA_SCRIPT_PATH +:= scripts
