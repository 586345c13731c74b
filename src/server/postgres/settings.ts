/**
 * Settings for one product on one small machine with large imports, given on the server's command line so that they
 * follow the code from version to version. Nothing here weakens durability.
 */
export function serverSettings(replaced: Record<string, string>): Record<string, string> {
  return {
    // One product's processes on this machine, nobody else; no socket files.
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    // Memory: fits a machine of 2 GB beside the product's own processes.
    shared_buffers: '256MB',
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    // An import of a million rows stays within one checkpoint; recovery after a crash stays within seconds.
    wal_compression: 'on',
    max_wal_size: '2GB',
    min_wal_size: '256MB',
    synchronous_commit: 'on',
    // As many pages written ahead as by the usual five rounds a second, with fewer wake-ups at rest.
    bgwriter_delay: '1s',
    bgwriter_lru_maxpages: '500',
    // Short statements on few cores: neither compiled plans nor parallel helpers pay.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    random_page_cost: '1.1',
    // Containers often give 64 MB of /dev/shm; files in the cluster have no such limit.
    dynamic_shared_memory_type: 'mmap',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...replaced,
  };
}
