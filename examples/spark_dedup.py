"""Near-duplicates of Parquet files, removed on Spark. The wheel travels with the job:

    cp leitong-*.whl leitong.zip
    spark-submit --archives leitong.zip#leitong-wheel --conf spark.executorEnv.PYTHONPATH=leitong-wheel \\
      examples/spark_dedup.py IN KEPT WORK [--text text] [--id id]

Executors need pyarrow, pandas and numpy; docs/spark.md shows an environment that is packed as a whole.
"""
import argparse

from pyspark.sql import SparkSession

import leitong.spark

parser = argparse.ArgumentParser(description="Removes the near-duplicates of Parquet files.")
parser.add_argument("input")
parser.add_argument("kept", help="the folder of the rows that stay; those that leave, with the reasons, go to KEPT-removed")
parser.add_argument("work", help="a folder for the stages, which driver and executors see")
parser.add_argument("--text", default="text")
parser.add_argument("--id", default="id")
given = parser.parse_args()

spark = SparkSession.builder.appName("leitong").getOrCreate()
result = leitong.spark.dedup(spark.read.parquet(given.input), text=given.text, id=given.id, work=given.work)
result.kept.write.parquet(given.kept)
result.removed.write.parquet(given.kept + "-removed")
spark.stop()
