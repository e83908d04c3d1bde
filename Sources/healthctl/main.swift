import Glibc

Environment.reserveStandardDescriptors()
exit(Healthctl.run(Array(CommandLine.arguments.dropFirst())))
