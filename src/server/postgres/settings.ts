/**
 * Returns the settings for one product on a small machine with large imports. They are passed on the command line, so
 * that a new version of the code can change them. None of them weakens durability.
 */
export function serverSettings(replaced: Record<string, string>): Record<string, string> {
  return {
    // Only for processes on this machine, without socket files.
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    // Memory: fits a machine with 2 GB, next to the product's own processes.
    shared_buffers: '256MB',
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    // An import of a million rows fits one checkpoint, and crash recovery takes seconds.
    wal_compression: 'on',
    max_wal_size: '2GB',
    min_wal_size: '256MB',
    synchronous_commit: 'on',
    // As many pages per second as with the default of five rounds, but fewer wake-ups when idle.
    bgwriter_delay: '1s',
    bgwriter_lru_maxpages: '500',
    // JIT and parallel workers do not pay off for short statements on few cores.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    random_page_cost: '1.1',
    // Containers often limit /dev/shm to 64 MB. Files in the cluster have no such limit.
    dynamic_shared_memory_type: 'mmap',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...replaced,
  };
}
