from metaagent.cli.main import main

main()
