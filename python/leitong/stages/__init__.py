"""The stages of leitong.spark without Spark: programs that read and write named files, for a shell loop or the array jobs of
a batch system. ``python -m leitong.stages --help`` lists them, docs/spark.md explains them."""
