package io.sluice.http;

import java.util.Set;

/**
 * The ports that requests may go to: 80, 443 and those from 1024 on, but for the ones where databases
 * and the machinery of a data centre usually listen.
 */
final class Ports {
  private static final Set<Integer> MACHINERY = Set.of(
      1433,
      1434, // SQL Server
      1521, // Oracle
      1883,
      8883, // MQTT
      2049, // NFS
      2181, // ZooKeeper
      2375,
      2376, // Docker
      2379,
      2380, // etcd
      3306,
      33060, // MySQL
      3389, // remote desktop
      4369, // Erlang port mapper
      5432, // PostgreSQL
      5671,
      5672, // AMQP
      5900, // VNC
      5984, // CouchDB
      5985,
      5986, // Windows remote management
      6000, // X11
      6379,
      16379,
      26379, // Redis, its cluster bus, Sentinel
      6432, // PgBouncer
      6443, // Kubernetes
      7000,
      7001,
      9042,
      9160, // Cassandra
      8300,
      8500,
      8600, // Consul
      9092,
      9093, // Kafka
      9200,
      9300, // Elasticsearch
      10250,
      10255, // kubelet
      11211, // memcached
      15672, // RabbitMQ
      27017,
      27018,
      27019, // MongoDB
      50070 // HDFS
      );

  private Ports() {}

  static boolean isOpen(int port) {
    return port == 80 || port == 443 || (port >= 1024 && !MACHINERY.contains(port));
  }
}
